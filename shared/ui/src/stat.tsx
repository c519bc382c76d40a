import type { ReactNode } from 'react';
import styles from './stat.module.css';

export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

export interface StatProps {
  value: ReactNode;
  label: ReactNode;
}

export function Stat({ value, label }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{value}</dd>
    </div>
  );
}
