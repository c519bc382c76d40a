import type { HealthPoint } from '@site/contract/registry-calls/view.calls';
import { Accordion, AccordionItem } from '@site/ui/accordion';
import { timeText } from '@site/contract/text';
import type { AnswerTo } from '../../data/client.ts';
import { Chart } from '../../parts/chart.tsx';
import { count, milliseconds, perThousand } from '../../parts/text.ts';
import { Table } from '../../parts/table.tsx';
import styles from './charts.module.css';

type Series = AnswerTo<'readSeries'>;

const MINUTE_MS = 60_000;

const measures = [
  {
    name: 'Faults per 1,000 views',
    of: ({ views, faults }: HealthPoint) => (views === 0 ? null : (faults / views) * 1000),
  },
  { name: 'LCP, p75 in ms', of: ({ lcp }: HealthPoint) => lcp },
  { name: 'INP, p75 in ms', of: ({ inp }: HealthPoint) => inp },
] as const;

interface ChartsProps {
  series: Series;
  minutes: number;
}

export default function Charts({ series: { since, rows }, minutes }: ChartsProps) {
  const from = Date.parse(since);
  const times = [...new Set(rows.flatMap(({ points }) => points.map(({ at }) => at)))].sort();
  const named = rows.map((row) => ({ ...row, name: `${row.version}${row.canary ? ' canary' : ''}` }));
  return (
    <>
      <div className={styles.charts}>
        {measures.map(({ name, of }) => (
          <Chart
            key={name}
            title={name}
            range={[from, from + minutes * MINUTE_MS]}
            times={times}
            lines={named.map((row) => ({ name: row.name, values: valuesAt(times, row.points, of) }))}
          />
        ))}
      </div>
      <Accordion>
        <AccordionItem title="Show as a table" level={3}>
          <Table
            caption="Health over time"
            columns={['Time', 'Version', 'Views', 'Faults per 1,000', 'LCP', 'INP']}
            rows={named.flatMap(({ name, points }) =>
              points.map((point) => [
                timeText(point.at),
                name,
                count(point.views),
                point.views === 0 ? '–' : perThousand(point.faults / point.views),
                milliseconds(point.lcp),
                milliseconds(point.inp),
              ]),
            )}
          />
        </AccordionItem>
      </Accordion>
    </>
  );
}

function valuesAt(
  times: readonly string[],
  points: readonly HealthPoint[],
  of: (point: HealthPoint) => number | null,
): (number | null)[] {
  const byTime = new Map(points.map((point) => [point.at, of(point)]));
  return times.map((at) => byTime.get(at) ?? null);
}
