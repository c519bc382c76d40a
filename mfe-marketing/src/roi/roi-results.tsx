import { Notice } from '@site/ui/notice';
import type { RoiResult } from './calculate-roi.ts';
import { formatDollars, formatNumber, formatRange } from './format-roi.ts';
import { RoiChart } from './roi-chart.tsx';
import type { RoiValues } from './roi-fields.ts';
import type { RoiPeriod } from './roi-query.ts';
import styles from './roi-results.module.css';

export interface RoiResultsProps {
  result: RoiResult;
  values: RoiValues;
  period: RoiPeriod;
}

export function RoiResults({ result, values, period }: RoiResultsProps) {
  const { low, high, hoursFreed } = result;
  const months = period === 'year' ? 12 : 1;
  const money = (a: number, b: number) => formatRange(a * months, b * months, formatDollars);
  return (
    <>
      <dl className={styles.figures}>
        <div className={styles.main}>
          <dt>{`Extra revenue per ${period}`}</dt>
          <dd>{money(low.extraRevenue, high.extraRevenue)}</dd>
        </div>
        <div>
          <dt>Hours freed</dt>
          <dd>{formatNumber(hoursFreed * months)}</dd>
        </div>
        <div>
          <dt>More projects</dt>
          <dd>{formatRange(low.moreProjects * months, high.moreProjects * months, formatNumber)}</dd>
        </div>
        <div>
          <dt>Extra margin, after the plan</dt>
          <dd>{money(low.extraMargin, high.extraMargin)}</dd>
        </div>
      </dl>
      <div className={styles.drawing}>
        <RoiChart result={result} values={values} months={months} />
        <ul className={styles.legend}>
          <li className="hue-paper">Today’s revenue</li>
          <li className="hue-blue">More projects</li>
          <li className="hue-signal">Higher rates</li>
        </ul>
      </div>
      <p className={styles.claim}>{claimText(result, values)}</p>
      {result.limitedByHours && (
        <Notice title="Limited by your hours">
          <p>
            {`The hours that blocks free hold ${formatNumber(high.moreProjects)} more projects a month, ` +
              'so no more than those are counted.'}
          </p>
        </Notice>
      )}
    </>
  );
}

export function claimText({ againstClaim }: RoiResult, { claimLow, claimHigh }: RoiValues): string {
  const stated = `the stated monthly impact of +${formatDollars(claimLow)} to ${formatDollars(claimHigh)}`;
  return {
    below: `With these figures the extra revenue stays below ${stated}.`,
    overlapping: `With these figures the extra revenue lies partly within ${stated}.`,
    within: `With these figures the extra revenue lies within ${stated}.`,
    above: `With these figures the extra revenue lies above ${stated}: check them, and expect less.`,
  }[againstClaim];
}
