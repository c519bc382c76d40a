import { Page } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import styles from './cases-page.module.css';

const BuildStories = later(() => import(/* webpackChunkName: "later-cases" */ '../cases/build-stories.tsx'));

export default function CasesPage() {
  return (
    <Page
      title="Customer stories"
      description="Two sample builds with managed API blocks, step by step: screens, calls, code and hours for an agency’s client portal and a startup’s MVP."
    >
      <Hero
        title="Built from the same box of parts"
        lead="A client portal and an MVP, built step by step. See the screens, the calls behind them and the hours they take."
        below={
          <section id="stories" aria-labelledby="stories-title" className={styles.stories}>
            <h2 id="stories-title">Customer stories</h2>
            <Badge tone="blue">Sample builds</Badge>
            <p>The time savings are our figures; the hours show how they add up.</p>
            <BuildStories />
          </section>
        }
      />
      <CallToAction
        title="Build the next one"
        lead="The first month is free in a stage environment. No credit card."
        actions={[
          { label: 'Start free', to: '/start' },
          { label: 'See all blocks', to: '/blocks' },
        ]}
      />
    </Page>
  );
}
