import type { ReactNode } from 'react';
import styles from './stat.module.css';

/** A row of figures with dimension lines. Contains `Stat`s. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

export interface StatProps {
  /** The figure, as short as possible: `10×`. */
  value: ReactNode;
  /** The meaning of the figure. */
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
