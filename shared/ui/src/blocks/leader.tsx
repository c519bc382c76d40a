import { project, type Point } from './iso.ts';
import { Label } from './label.tsx';

export interface LeaderProps {
  at: Point;
  to: readonly [x: number, y: number];
  count?: number;
  label: string;
  /** A second, smaller line. */
  note?: string;
}

/** A leader line from a part to its name. Text to the left of its part is right-aligned, and vice versa. */
export function Leader({ at, to, count, label, note }: LeaderProps) {
  const [x, y] = project(at);
  const [tx, ty] = to;
  const side = tx < x ? -1 : 1;
  const line = `M${x} ${y}L${tx - side * 14} ${ty}H${tx - side * 4}`;
  const anchor = side < 0 ? { anchor: 'end' as const } : {};
  return (
    <g stroke="var(--leader)" strokeWidth="1.2">
      <path d={line} stroke="var(--paper)" strokeWidth="4" />
      <path d={line} />
      <circle cx={x} cy={y} r="3.2" fill="var(--leader)" stroke="var(--paper)" />
      <Label x={tx} y={ty + 4.5} text={label} {...anchor} {...(count === undefined ? {} : { count })} />
      {note && <Label x={tx} y={ty + 20} text={note} kind="small" {...anchor} />}
    </g>
  );
}
