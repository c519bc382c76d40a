import type { ReactNode } from 'react';
import { classes } from '@site/ui/classes';
import styles from './call-list.module.css';

export interface ListedCall {
  title: string;
  story: ReactNode;
  /** Code samples. */
  samples: ReactNode;
}

/** @param sticky whether stories stay in sight next to long samples. */
export function CallList({ calls, sticky }: { calls: readonly ListedCall[]; sticky?: boolean }) {
  return (
    <ol className={styles.calls}>
      {calls.map(({ title, story, samples }) => (
        <li key={title} className={styles.call}>
          <div className={classes(styles.story, sticky && styles.sticky)}>
            <h3>{title}</h3>
            {story}
          </div>
          <div className={styles.samples}>{samples}</div>
        </li>
      ))}
    </ol>
  );
}
