import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './steps.module.css';

export interface StepsProps {
  /** `panels` (default): side by side, like the pages of a booklet. `list`: one below the other, for longer text. */
  layout?: 'panels' | 'list';
  children: ReactNode;
}

/** Numbered steps. Holds `Step`s; the numerals count by themselves. */
export function Steps({ layout = 'panels', children }: StepsProps) {
  return <ol className={classes(styles.steps, styles[layout])}>{children}</ol>;
}

export interface StepProps {
  title: ReactNode;
  /** The level of the title. Default 3. */
  level?: 2 | 3 | 4;
  /** The drawing of this step. */
  figure?: ReactNode;
  /** What is needed for it: a `PartsList`, or a note such as a duration. */
  parts?: ReactNode;
  children?: ReactNode;
}

/** One step of `Steps`. */
export function Step({ title, level = 3, figure, parts, children }: StepProps) {
  const Heading = `h${level}` as const;
  return (
    <li className={styles.step}>
      {parts && <div className={styles.parts}>{parts}</div>}
      {figure && <div className={styles.figure}>{figure}</div>}
      <div className={styles.text}>
        <Heading>{title}</Heading>
        {children}
      </div>
    </li>
  );
}
