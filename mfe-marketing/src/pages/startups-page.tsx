import { Page } from '@site/kit';
import { BlockGlyph } from '@site/ui/blocks/block-glyph';
import { finishedScene } from '@site/ui/blocks/finished-scene.art';
import { heroScene } from '@site/ui/blocks/hero-scene.art';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { MvpTimeline } from '../startups/mvp-timeline.tsx';
import { Stories } from '../stories/story.tsx';
import { blockNames } from '../blocks/block-names.ts';
import { benefits, features, startupStories } from './startups-page.data.ts';
import styles from './startups-page.module.css';

export default function StartupsPage() {
  return (
    <Page
      title="For startups"
      description="From idea to MVP in 4 weeks with managed API blocks: an 80 percent time reduction, the first month free, no credit card."
    >
      <Hero
        title="Four weeks to your MVP"
        lead="Ready-made blocks take over the backend every product needs. You build the part nobody else has, with an 80 percent time reduction on the rest."
        actions={[
          { label: 'Explore the blocks', to: '/blocks' },
          { label: 'Start free', to: '/start' },
        ]}
        figure={<Picture first art={heroScene} />}
      />
      <Section
        tone="sunk"
        id="plan"
        title="The 4-week plan"
        lead="Each week snaps onto the one before. What a week adds is drawn in color."
      >
        <MvpTimeline />
      </Section>
      <Section id="gives" title="What it gives you">
        <ul className={styles.benefits}>
          {benefits.map(({ title, text, figure }) => (
            <li key={title}>
              <p className={styles.figure}>{figure}</p>
              <h3>{title}</h3>
              <p>{text}</p>
            </li>
          ))}
        </ul>
      </Section>
      <Section
        tone="blueprint"
        layout="split"
        id="features"
        title="Ten features, ten parts in the box"
        lead="What an MVP is asked for first. None of them has to be written again."
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
        title="Three ways to get there"
        lead="Example scenarios, written from what we state for startups. The companies are made up."
      >
        <Stories stories={startupStories} />
      </Section>
      <CallToAction
        title="Week 1 can start today"
        lead="Choose your parts. The first month is free in a stage environment, with no credit card."
        actions={[
          { label: 'See all 15 blocks', to: '/blocks' },
          { label: 'Start free', to: '/start' },
        ]}
        figure={<Picture art={finishedScene} />}
      />
    </Page>
  );
}
