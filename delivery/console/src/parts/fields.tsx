import type { ReactNode } from 'react';
import styles from './fields.module.css';

/** Fields side by side, with the buttons that use them. */
export function Fields({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>;
}
