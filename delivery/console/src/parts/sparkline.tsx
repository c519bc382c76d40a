import styles from './sparkline.module.css';

interface SparklineProps {
  /** What it shows and over which time, for those who listen. */
  label: string;
  values: readonly (number | null)[];
  /** The least that reaches the top: what is small looks small. */
  top: number;
}

const WIDTH = 96;
const HEIGHT = 24;

/** A small line of how something went. The newest value stands beside it as a number. */
export function Sparkline({ label, values, top }: SparklineProps) {
  const most = Math.max(...values.map((value) => value ?? 0), top);
  const step = WIDTH / Math.max(values.length - 1, 1);
  const points = values.flatMap((value, index) =>
    value === null
      ? []
      : [`${(index * step).toFixed(1)},${(HEIGHT - 2 - (value / most) * (HEIGHT - 4)).toFixed(1)}`],
  );
  if (points.length < 2) return null;
  return (
    <svg className={styles.line} viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={label}>
      <polyline points={points.join(' ')} />
    </svg>
  );
}
