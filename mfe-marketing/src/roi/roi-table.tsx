import { DataTable } from '@site/ui/data-table';
import type { MonthOfWork, MonthWithBlocks, RoiResult } from './calculate-roi.ts';
import { formatDollars, formatNumber, formatRange } from './format-roi.ts';
import styles from './roi-table.module.css';

export function RoiTable({ result }: { result: RoiResult }) {
  const { today, low, high, hoursFreed } = result;

  const row = (name: string, a: number, b: number, format: (value: number) => string) => [
    name,
    formatRange(a, b, format),
    formatRange(a * 12, b * 12, format),
  ];
  const range = (name: string, pick: (month: MonthWithBlocks) => number, format = formatDollars) =>
    row(name, pick(low), pick(high), format);
  const now = (name: string, pick: (month: MonthOfWork) => number, format = formatDollars) =>
    row(name, pick(today), pick(today), format);

  return (
    <div className={styles.table}>
      <DataTable
        caption="The figures as a table"
        compact
        columns={['Figure', 'Per month', 'Per year']}
        rows={[
          now('Revenue today', (month) => month.revenue),
          range('Revenue with blocks', (month) => month.revenue),
          range('Extra revenue', (month) => month.extraRevenue),
          range('of it from more projects', (month) => month.revenueFromMoreProjects),
          range('of it from higher rates', (month) => month.revenueFromHigherRates),
          row('Hours freed on today’s projects', hoursFreed, hoursFreed, formatNumber),
          range('More projects', (month) => month.moreProjects, formatNumber),
          now('Hours worked today', (month) => month.hours, formatNumber),
          range('Hours worked with blocks', (month) => month.hours, formatNumber),
          now('Cost of the team today', (month) => month.cost),
          range('Cost of the team and the plan with blocks', (month) => month.cost),
          range('Extra margin, after the plan', (month) => month.extraMargin),
        ]}
      />
    </div>
  );
}
