import { useId } from 'react';
import type { RoiResult } from './calculate-roi.ts';
import { formatDollars, formatShortDollars } from './format-roi.ts';
import type { RoiValues } from './roi-fields.ts';
import styles from './roi-chart.module.css';

const BASE = 268;
const HEIGHT = 216;
const COLUMN = 74;
const COURSE = 18;

interface Part {
  hue: 'paper' | 'blue' | 'signal';
  from: number;
  to: number;
}

export interface RoiChartProps {
  result: RoiResult;
  values: RoiValues;
  months: number;
}

export function RoiChart({ result, values, months }: RoiChartProps) {
  const titleId = useId();
  const { today, low, high } = result;
  const columns = [
    { name: 'Today', x: 26, parts: parts(today.revenue, 0, 0) },
    {
      name: 'Low end',
      x: 166,
      parts: parts(today.revenue, low.revenueFromMoreProjects, low.revenueFromHigherRates),
    },
    {
      name: 'High end',
      x: 306,
      parts: parts(today.revenue, high.revenueFromMoreProjects, high.revenueFromHigherRates),
    },
  ];
  const top = Math.max(high.revenue, low.revenue, 1);
  const y = (dollars: number) => BASE - (dollars / top) * HEIGHT;
  const sum = [today, low, high].map((each) => formatDollars(each.revenue * months));
  const period = months === 1 ? 'month' : 'year';

  return (
    <svg className={`art ${styles.chart}`} viewBox="0 0 406 300" role="img" aria-labelledby={titleId}>
      <title id={titleId}>
        {`Revenue per ${period}: ${sum[0]} today, ${sum[1]} with blocks at the low end, ${sum[2]} at the high end.`}
      </title>
      <StatedRange low={y(today.revenue + values.claimLow)} high={y(today.revenue + values.claimHigh)} />
      {columns.map(({ name, x, parts: walls }) => (
        <Column key={name} x={x} name={name} parts={walls} y={y} months={months} />
      ))}
      <path className={styles.ground} d={`M8 ${BASE}H398`} />
    </svg>
  );
}

const parts = (today: number, moreProjects: number, higherRates: number): Part[] => {
  const upper = today + moreProjects;
  const all: Part[] = [
    { hue: 'paper', from: 0, to: today },
    { hue: 'blue', from: today, to: upper },
    { hue: 'signal', from: upper, to: upper + higherRates },
  ];
  return all.filter(({ from, to }) => to > from);
};

interface ColumnProps {
  x: number;
  name: string;
  parts: Part[];
  y: (dollars: number) => number;
  months: number;
}

function Column({ x, name, parts: walls, y, months }: ColumnProps) {
  const highest = walls.at(-1);
  const total = highest?.to ?? 0;
  const top = y(total);
  return (
    <g>
      {highest && (
        <path
          className={`hue-${highest.hue} ${styles.brick} ${styles.course}`}
          d={[0, 1, 2, 3].map((stud) => `M${x + 6 + stud * 17} ${top}v-5h11v5z`).join('')}
        />
      )}
      {walls.map(({ hue, from, to }) => (
        <g key={hue} className={`hue-${hue}`}>
          {/* A new course is a new element, which CSS lays onto the wall. */}
          {courses(x, y(from), y(to)).map((course, index) => (
            <path key={index} className={`${styles.brick} ${styles.course}`} d={course} />
          ))}
        </g>
      ))}
      <text x={x + COLUMN / 2} y={top - 14} textAnchor="middle">
        {formatShortDollars(total * months)}
      </text>
      <text className="art-small" x={x + COLUMN / 2} y={BASE + 20} textAnchor="middle">
        {name}
      </text>
    </g>
  );
}

/** The courses of a wall between two heights, from the bottom; alternate courses are shifted by half a brick. */
function courses(x: number, from: number, to: number): string[] {
  return Array.from({ length: Math.ceil((from - to) / COURSE) }, (_, index) => {
    const bottom = from - index * COURSE;
    const upper = Math.max(bottom - COURSE, to);
    const joints = index % 2 === 1 ? [COLUMN / 4, (COLUMN * 3) / 4] : [COLUMN / 2];
    const lines = joints.map((joint) => `M${x + joint} ${bottom}V${upper}`);
    return `M${x} ${upper}h${COLUMN}V${bottom}h${-COLUMN}z${lines.join('')}`;
  });
}

/** Revenue with the platform's stated monthly impact: a dimension line above today's wall. */
function StatedRange({ low, high }: { low: number; high: number }) {
  const upper = Math.max(high, 14);
  if (low - upper < 4) return null;
  return (
    <g className={styles.stated}>
      <path d={`M26 ${low}H386${high < upper ? '' : `M26 ${upper}H386`}`} strokeDasharray="3 4" />
      <path d={`M132 ${low}V${upper}m-4 8l4-8l4 8M128 ${low - 8}l4 8l4-8`} />
      <text className="art-small" x="124" y={(low + upper) / 2 + 4} textAnchor="end">
        Stated impact
      </text>
    </g>
  );
}
