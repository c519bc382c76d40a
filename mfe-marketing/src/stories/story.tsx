import { Badge } from '@site/ui/badge';
import { Definitions } from '@site/ui/definitions';
import styles from './story.module.css';

export interface StoryProps {
  name: string;
  industry: string;
  /** What is told, in order: challenge, solution, result … */
  facts: readonly (readonly [name: string, text: string])[];
}

/** A story told as a fact sheet. The specification shows no real ones, so each says that it is an example. */
export function Story({ name, industry, facts }: StoryProps) {
  return (
    <article className={styles.story}>
      <header className={styles.header}>
        <Badge tone="blue">Example scenario</Badge>
        <h3>{name}</h3>
        <p>{industry}</p>
      </header>
      <Definitions className={styles.facts} items={facts} />
    </article>
  );
}

/** Stories side by side, their facts in line with each other. */
export function Stories({ stories }: { stories: readonly StoryProps[] }) {
  return (
    <div className={styles.stories}>
      {stories.map((story) => (
        <Story key={story.name} {...story} />
      ))}
    </div>
  );
}
