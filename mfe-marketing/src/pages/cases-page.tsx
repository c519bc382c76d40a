import { Page } from '@site/kit';
import { Badge } from '@site/ui/badge';
import { finishedScene } from '@site/ui/blocks/finished-scene.art';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { later } from '@site/ui/later';
import { LiveRegion } from '@site/ui/notice';
import { usePageFilter } from '@site/ui/page-query';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { ToggleGroup } from '@site/ui/toggle-group';
import { filters, stories } from './cases-page.data.ts';
import styles from './cases-page.module.css';

const BuildStory = later(() => import(/* webpackChunkName: "later-cases" */ '../cases/build-story.tsx'));

export default function CasesPage() {
  const [filter, show] = usePageFilter(filters);
  const shown = stories.filter(({ kind }) => filter === 'all' || kind === filter);
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
        <div className={styles.stories}>
          <div className="row">
            <ToggleGroup
              label="Show stories of"
              parameter="filter"
              value={filter}
              options={filters}
              onChange={show}
            />
            <LiveRegion className={styles.count}>
              {shown.length === 1 ? '1 story' : `${shown.length} stories`}
            </LiveRegion>
          </div>
          <ul className={styles.list}>
            {stories.map((story) => (
              <li key={story.slug} data-kind={story.kind} hidden={!shown.includes(story)}>
                <BuildStory {...story} />
              </li>
            ))}
          </ul>
        </div>
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
