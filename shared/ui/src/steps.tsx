import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import styles from './steps.module.css';

export interface StepsProps {
  /**
   * `panels` (default): columns, like the pages of a booklet. `pairs`: two columns, for figures with text.
   * `list`: rows, for longer text.
   */
  layout?: 'panels' | 'pairs' | 'list';
  children: ReactNode;
}

export function Steps({ layout = 'panels', children }: StepsProps) {
  return <ol className={classes(styles.steps, styles[layout])}>{children}</ol>;
}

export interface StepProps {
  title: ReactNode;
  /** Heading level. Default 3. */
  level?: 2 | 3 | 4;
  figure?: ReactNode;
  parts?: ReactNode;
  children?: ReactNode;
}

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
