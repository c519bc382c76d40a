import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import styles from './accordion.module.css';

export interface AccordionProps {
  children: ReactNode;
}

/** Questions that open and close, each on its own. Holds `AccordionItem`s. */
export function Accordion({ children }: AccordionProps) {
  return <div className={styles.accordion}>{children}</div>;
}

export interface AccordionItemProps {
  title: ReactNode;
  /** The level of the title. Default 3. */
  level?: 2 | 3 | 4;
  id?: string;
  /** Whether it is open at first. */
  defaultOpen?: boolean;
  children: ReactNode;
}

/**
 * One question and its answer, as the platform's `<details>`: it works before and without JavaScript, by keyboard, and
 * the browser's search finds and opens it. It fades and grows for 200 ms, both ways.
 */
export function AccordionItem({ title, level = 3, id, defaultOpen = false, children }: AccordionItemProps) {
  const Heading = `h${level}` as const;
  return (
    // A visitor may have opened it before the page was hydrated: that is not a mismatch.
    <details className={styles.item} id={id} open={defaultOpen} suppressHydrationWarning>
      <summary className={styles.summary}>
        <Heading className={styles.title}>{title}</Heading>
        <Icon name="plus" className={styles.icon} />
      </summary>
      <div className={styles.clip}>
        <div className={classes(styles.answer, 'stack')}>{children}</div>
      </div>
    </details>
  );
}
