import { LAST_BUCKET, percentile, type Sketch } from '@site/contract/signals/sketch';
import type { Vital } from '@site/contract/signals/sums.schema';
import type { Health, HealthPoint } from '@site/contract/registry-calls/view.calls';
import type { SignalSums } from './signal-sums.ts';

export function summarizeHealth(rows: readonly SignalSums[]): Health {
  const views = sum(rows, ({ first }) => first.views);
  return {
    views,
    faults: views === 0 ? null : faultRate(faultyViews(rows, views), views),
    forms: {
      sent: sum(rows, ({ formsSent }) => formsSent),
      failed: sum(rows, ({ formsFailed }) => formsFailed),
    },
    lcp: p75(rows, 'lcp'),
    inp: p75(rows, 'inp'),
  };
}

export function healthPoint(at: Date, rows: readonly SignalSums[]): HealthPoint {
  const views = sum(rows, ({ first }) => first.views);
  return {
    at: at.toISOString(),
    views,
    faults: faultyViews(rows, views),
    lcp: p75(rows, 'lcp'),
    inp: p75(rows, 'inp'),
  };
}

export function faultShare(rows: readonly SignalSums[]): number | null {
  const views = sum(rows, ({ first }) => first.views);
  return views === 0 ? null : Math.round((faultyViews(rows, views) / views) * 10_000) / 10_000;
}

/** Upper bound: a view may have faults in both its first and its later stretch. */
function faultyViews(rows: readonly SignalSums[], views: number): number {
  return Math.min(
    views,
    sum(rows, ({ first, later }) => first.faults + later.faults),
  );
}

export function p75(rows: readonly SignalSums[], vital: Vital): number | null {
  const sketches = rows.flatMap((row) => (row[vital] ? [row[vital]] : []));
  const value = percentile(together(sketches), 0.75);
  return value === null ? null : Math.round(value);
}

/** Merges many sketches in one pass: pairwise merges would copy each repeatedly. */
function together(sketches: readonly Sketch[]): Sketch {
  if (sketches.length <= 1) return sketches[0] ?? [];
  const counts = new Float64Array(LAST_BUCKET + 1);
  for (const sketch of sketches)
    for (const [bucket, count] of sketch) counts[bucket] = (counts[bucket] ?? 0) + count;
  return [...counts].flatMap((count, bucket): Sketch => (count > 0 ? [[bucket, count]] : []));
}

function sum<Row>(rows: readonly Row[], of: (row: Row) => number): number {
  return rows.reduce((total, row) => total + of(row), 0);
}

/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959964;

/** A rate with its 95 % Wilson score interval (E. B. Wilson, 1927), which also holds for few views and rare faults. */
function faultRate(faults: number, views: number): { rate: number; low: number; high: number } {
  const rate = faults / views;
  const spread = Z ** 2 / views;
  const middle = (rate + spread / 2) / (1 + spread);
  const half = Math.sqrt(rate * (1 - rate) * spread + spread ** 2 / 4) / (1 + spread);
  return { rate, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
