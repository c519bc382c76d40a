import { LiveRegion } from '@site/ui/notice';
import { usePageFilter } from '@site/ui/page-query';
import { ToggleGroup } from '@site/ui/toggle-group';
import { filters, stories } from '../pages/cases-page.data.ts';
import { BuildStory } from './build-story.tsx';
import styles from './build-stories.module.css';

export default function BuildStories() {
  const [filter, show] = usePageFilter(filters);
  const shown = stories.filter(({ kind }) => filter === 'all' || kind === filter);
  return (
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
  );
}
