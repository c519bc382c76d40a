import { Screen, type ScreenProps } from './screen.tsx';
import styles from './screen.module.css';

const HEIGHT = 90;
const BRICK = 9;

export interface TelemetryScreenProps extends Omit<ScreenProps, 'children'> {
  figures: readonly (readonly [name: string, value: string])[];
  columns: readonly number[];
  axis: readonly string[];
}

export function TelemetryScreen({ figures, columns, axis, ...screen }: TelemetryScreenProps) {
  return (
    <Screen hue="blue" {...screen}>
      <div className={styles.figures}>
        {figures.map(([name, value]) => (
          <span key={name}>
            <span className={styles.quiet}>{name}</span>
            <b>{value}</b>
          </span>
        ))}
      </div>
      <svg className={styles.chart} viewBox={`-1 -1 ${columns.length * 16 - 2} ${HEIGHT + 7}`}>
        <path d={columns.map((bricks, index) => column(index * 16, bricks)).join('')} />
      </svg>
      <div className={`${styles.axis} ${styles.quiet}`}>
        {axis.map((text) => (
          <span key={text}>{text}</span>
        ))}
      </div>
    </Screen>
  );
}

function column(x: number, bricks: number): string {
  const top = HEIGHT + 4 - bricks * BRICK;
  const stack = Array.from({ length: bricks }, (_, index) => `M${x} ${top + index * BRICK}h12v${BRICK}h-12z`);
  return `M${x + 3} ${top}v-3h6v3z${stack.join('')}`;
}
