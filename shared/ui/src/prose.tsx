import type { ReactNode } from 'react';
import styles from './prose.module.css';

/** Long texts: plain headings, paragraphs, lists and definition lists, set to be read. */
export function Prose({ children }: { children: ReactNode }) {
  return <div className={styles.prose}>{children}</div>;
}
