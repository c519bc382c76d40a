import { Link, Page, useBrand } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { CallToAction } from '@site/ui/call-to-action';
import { Card } from '@site/ui/card';
import { DataTable } from '@site/ui/data-table';
import { Hero } from '@site/ui/hero';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { Step, Steps } from '@site/ui/steps';
import { supportScene } from '../support/support-scene.art.tsx';
import {
  notifications,
  supportPlaces,
  plans,
  priorities,
  priorityTones,
  reportParts,
} from './support-page.data.ts';
import styles from './support-page.module.css';

export default function SupportPage() {
  const brand = useBrand();
  const places = supportPlaces(brand);
  return (
    <Page
      title="Support"
      description="Platform status, support center and how to get help by plan. Support responds within 24 hours, Monday to Friday."
    >
      <Hero
        title="Missing a part? Ask us."
        lead="Support responds within 24 hours, Monday to Friday."
        actions={[
          { label: 'Support Center', href: brand.support, icon: 'external' },
          { label: 'Platform Status', href: brand.status, icon: 'external' },
        ]}
        figure={<Picture first art={supportScene} />}
      />
      {places.length > 0 && (
        <Section tone="sunk" id="first" title="Where to look first">
          <div className="grid">
            {places.map(({ title, text, href }) => (
              <Card key={title} title={title} href={href}>
                <p>{text}</p>
              </Card>
            ))}
          </div>
        </Section>
      )}
      <Section id="plans" title="How to get help, by plan" layout="split">
        <div className={styles.plans}>
          {plans.map(({ title, channels, text }) => (
            <div key={title} className={styles.plan}>
              <h3>{title}</h3>
              <div className={styles.help}>
                <p className={styles.channels}>{channels}</p>
                <p>{text}</p>
              </div>
            </div>
          ))}
          <p>
            Plans and prices are on the <Link to="/start">start page</Link>.
          </p>
        </div>
      </Section>
      <Section
        id="priorities"
        tone="sunk"
        title="How fast, by priority"
        lead="The more users are affected, the sooner we answer and fix it."
      >
        <div className="stack">
          <DataTable
            caption="Support priorities"
            hideCaption
            columns={['Priority', 'Response', 'Resolution', 'Incidents']}
            rows={priorities.map(([name, scope, response, resolution, incidents]) => [
              <span key={name} className={styles.priority}>
                <Badge tone={priorityTones[name]}>{name}</Badge>
                {scope && <span className={styles.scope}>{scope}</span>}
              </span>,
              response,
              resolution,
              incidents,
            ])}
          />
          <p>
            Read the full terms in the <Link to="/policies/support">support policy</Link>.
          </p>
        </div>
      </Section>
      <Section
        id="report"
        title="What happens with your report"
        lead="We notify you at each of these four points."
      >
        <Steps>
          {notifications.map(({ title, text }) => (
            <Step key={title} title={title}>
              <p>{text}</p>
            </Step>
          ))}
        </Steps>
      </Section>
      <Section id="details" title="Put this in your report" layout="split">
        <ul className={styles.report}>
          {reportParts.map((part) => (
            <li key={part}>{part}</li>
          ))}
        </ul>
      </Section>
      <CallToAction
        title="Not a customer yet?"
        lead="Ask before you start, or build something in the free month first."
        actions={[
          { label: 'Contact us', href: brand.contact, icon: 'external' },
          { label: 'Start free', to: '/start' },
        ]}
      />
    </Page>
  );
}
