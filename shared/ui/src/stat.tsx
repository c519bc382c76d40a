import type { ReactNode } from 'react';
import styles from './stat.module.css';

/** A row of figures, dimensioned like a drawing. Holds `Stat`s. */
export function Stats({ children }: { children: ReactNode }) {
  return <dl className={styles.stats}>{children}</dl>;
}

export interface StatProps {
  /** The figure, as short as it can be: `10×`. */
  value: ReactNode;
  /** What it counts. */
  label: ReactNode;
}

/** One figure with what it counts. */
export function Stat({ value, label }: StatProps) {
  return (
    <div className={styles.stat}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{value}</dd>
    </div>
  );
}
