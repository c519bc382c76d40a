import type { ReactNode } from 'react';
import styles from './fields.module.css';

export function Fields({ children }: { children: ReactNode }) {
  return <div className={styles.fields}>{children}</div>;
}
