import styles from './sparkline.module.css';

interface SparklineProps {
  /** For screen readers: the measure and the time range. */
  label: string;
  values: readonly (number | null)[];
  /** The minimum upper bound of the y-axis, so that small values look small. */
  top: number;
}

const WIDTH = 96;
const HEIGHT = 24;

/** A decorative chart; its latest value is shown next to it as text. */
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
