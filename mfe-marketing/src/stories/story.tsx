import { Definitions } from '@site/ui/definitions';
import styles from './story.module.css';

export interface StoryProps {
  name: string;
  industry: string;
  facts: readonly (readonly [name: string, text: string])[];
}

export function Story({ name, industry, facts }: StoryProps) {
  return (
    <article className={styles.story}>
      <header className={styles.header}>
        <h3>{name}</h3>
        <p>{industry}</p>
      </header>
      <Definitions className={styles.facts} items={facts} />
    </article>
  );
}

export function Stories({ stories }: { stories: readonly StoryProps[] }) {
  return (
    <div className={styles.stories}>
      {stories.map((story) => (
        <Story key={story.name} {...story} />
      ))}
    </div>
  );
}
