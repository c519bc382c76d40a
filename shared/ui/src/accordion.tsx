import type { ReactNode } from 'react';
import { classes } from './classes.ts';
import { Icon } from './icon.tsx';
import styles from './accordion.module.css';

export interface AccordionProps {
  children: ReactNode;
}

export function Accordion({ children }: AccordionProps) {
  return <div className={styles.accordion}>{children}</div>;
}

export interface AccordionItemProps {
  title: ReactNode;
  /** Heading level. Default 3. */
  level?: 2 | 3 | 4;
  id?: string;
  defaultOpen?: boolean;
  children: ReactNode;
}

/**
 * A question and its answer as a native `<details>`: it works without JavaScript and by keyboard, and the browser's
 * find-in-page opens it. It fades and grows for 200 ms in both directions.
 */
export function AccordionItem({ title, level = 3, id, defaultOpen = false, children }: AccordionItemProps) {
  const Heading = `h${level}` as const;
  return (
    // The visitor may open it before hydration, which is not a mismatch.
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
