import { Page, useBrand } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { CallToAction } from '@site/ui/call-to-action';
import { Card } from '@site/ui/card';
import { Definitions } from '@site/ui/definitions';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { BackLink } from '../block/back-link.tsx';
import { authScene } from '../drawings/auth-scene.art.tsx';
import { description, infrastructure, keyFeatures, stories, useCases } from './auth-block-page.data.ts';
import styles from './auth-block-page.module.css';

const AuthFlows = later(() => import(/* webpackChunkName: "later-auth" */ './auth-flows.tsx'));

export default function AuthBlockPage() {
  const { application } = useBrand();
  const signUp = application && `${application}/auth/register`;
  const start = { label: 'Start Using This Block', href: signUp };

  return (
    <Page title="Auth Block" description={description}>
      {/* Above the fold. */}
      <>
        <BackLink to="/home" label="Back to home" />
        <Hero
          title="Auth Block"
          lead="A users system without the weeks of work: registration, login and password recovery behind REST APIs that we run for you."
          actions={[start, { label: 'View Documentation', to: '#flows' }]}
          figure={<Picture first art={authScene} />}
        />
      </>
      <Section title="Key Features" id="features">
        <ul className={styles.features}>
          {keyFeatures.map(({ title, text }) => (
            <li key={title}>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <AuthFlows />
      <Section
        title="Customer Success Stories"
        id="stories"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        lead="One block in three invented products, and what the time savings mean for each."
      >
        <div className="grid">
          {stories.map(({ who, title, text, result }) => (
            <Card key={title} title={title} label={who} footer={<p className={styles.result}>{result}</p>}>
              <p>{text}</p>
            </Card>
          ))}
        </div>
      </Section>
      <Section title="Common Use Cases" id="use-cases" layout="split" lead="Anywhere people log in.">
        <Definitions className={styles.cases} items={useCases.map(({ title, text }) => [title, text])} />
      </Section>
      <Section title="Infrastructure Benefits" id="infrastructure" tone="sunk">
        <div className={styles.benefits}>
          {infrastructure.map(({ title, text }) => (
            <Card key={title} title={title}>
              <p>{text}</p>
            </Card>
          ))}
        </div>
      </Section>
      <CallToAction
        title="Snap it on"
        lead="Open a free account, create an app, choose Auth. The first month is free."
        actions={[start, { label: 'See all blocks', to: '/blocks' }]}
      />
    </Page>
  );
}
