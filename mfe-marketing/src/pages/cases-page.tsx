import { Page } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { finishedScene } from '@site/ui/blocks/finished-scene.art';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';

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
        figure={<Picture first art={finishedScene} />}
      />
      <Section
        tone="sunk"
        id="stories"
        title="Customer stories"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        lead="The time savings are our figures; the hours show how they add up."
      >
        <BuildStories />
      </Section>
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
