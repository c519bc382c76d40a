import { Page } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { Section } from '@site/ui/section';
import { MvpTimeline } from '../startups/mvp-timeline.tsx';
import { Stories } from '../stories/story.tsx';
import { blockNames } from '../blocks/block-names.ts';
import { features, startupStories } from './startups-page.data.ts';
import styles from './startups-page.module.css';

const StartupBenefits = later(
  () => import(/* webpackChunkName: "later-screens" */ '../startups/startup-benefits.tsx'),
);

export default function StartupsPage() {
  return (
    <Page
      title="For startups"
      description="From idea to MVP in 4 weeks with managed API blocks: an 80 percent time reduction, the first month free, no credit card."
    >
      <Hero
        tone="sun"
        title="Four weeks to your MVP"
        lead="Blocks cover the backend that every product needs, with an 80 percent time reduction. You build the part that makes yours different."
        actions={[
          { label: 'Explore the blocks', to: '/blocks' },
          { label: 'Start free', to: '/start' },
        ]}
        below={
          <section id="plan" aria-labelledby="plan-title">
            <h2 id="plan-title" className="visually-hidden">
              The 4-week plan
            </h2>
            <MvpTimeline />
          </section>
        }
      />
      <Section
        id="gives"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        title="Built to launch, and to keep"
        lead="Your MVP and your product run on the same blocks."
      >
        <StartupBenefits />
      </Section>
      <Section
        tone="blueprint"
        id="features"
        title="Ten MVP features you don’t have to write"
        lead="The first things customers and investors ask for. Each one is a block."
      >
        <ol className={styles.features}>
          {features.map(({ name, block }) => (
            <li key={name}>
              <span className={styles.glyph}>
                <BlockGlyph name={block} />
              </span>
              <span>
                <strong>{name}</strong>
                <span className={styles.block}>1 × {blockNames[block]}</span>
              </span>
            </li>
          ))}
        </ol>
      </Section>
      <Section
        id="ways"
        eyebrow={<Badge tone="blue">Sample builds</Badge>}
        title="Three ways to spend four weeks"
        lead="The companies are invented. The plan and the blocks are real."
      >
        <Stories stories={startupStories} />
      </Section>
      <CallToAction
        title="Start week 1 today"
        lead="The first month is free, with no credit card."
        actions={[
          { label: 'Start free', to: '/start' },
          { label: 'See all 15 blocks', to: '/blocks' },
        ]}
      />
    </Page>
  );
}
