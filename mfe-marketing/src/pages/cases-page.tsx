import { Page } from '@site/kit';
import { finishedScene } from '@site/ui/blocks/finished-scene.art';
import { CallToAction } from '@site/ui/call-to-action';
import { Hero } from '@site/ui/hero';
import { LiveRegion } from '@site/ui/notice';
import { usePageFilter } from '@site/ui/page-query';
import { Picture } from '@site/ui/picture';
import { Section } from '@site/ui/section';
import { ToggleGroup } from '@site/ui/toggle-group';
import { StoryCard } from '../cases/story-card.tsx';
import { filters, stories } from './cases-page.data.ts';
import styles from './cases-page.module.css';

export default function CasesPage() {
  const [filter, show] = usePageFilter(filters);
  const shown = stories.filter(({ kind }) => filter === 'all' || kind === filter);
  return (
    <Page
      title="Customer stories"
      description="How agencies and startups can build with managed API blocks: which parts they take, and what it saves them. Example scenarios."
    >
      <Hero
        title="Built from the same box of parts"
        lead="Different products, the same blocks. Two example scenarios, written from what we state: which parts each takes, and what it saves."
        figure={<Picture first art={finishedScene} />}
      />
      <Section tone="sunk" id="stories" title="Customer stories">
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
          <ul className={styles.cards}>
            {stories.map((story) => (
              <li key={story.slug} data-kind={story.kind} hidden={!shown.includes(story)}>
                <StoryCard {...story} />
              </li>
            ))}
          </ul>
        </div>
      </Section>
      <CallToAction
        title="Yours would be a real one"
        lead="The first month is free in a stage environment, with no credit card."
        actions={[
          { label: 'Start free', to: '/start' },
          { label: 'See all blocks', to: '/blocks' },
        ]}
      />
    </Page>
  );
}
