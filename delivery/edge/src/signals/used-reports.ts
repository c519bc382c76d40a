import { MAX_FAULT_REPORTS, MAX_FORM_REPORTS, REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';
import type { Fault, Report } from '@site/contract/signals/report.schema';
import { networkQuota, dropReason } from './network-quota.ts';
import { createHashedCounts } from '../limits/hashed-counts.ts';

/**
 * Maximum number of views, and of faults, remembered for ten minutes: 1,300 a second, in 21 MB each. At the limit, new
 * ones are dropped, because evicted ones could be counted twice.
 */
const MAX_REMEMBERED = 786_432;
/** Maximum per network and minute: more than a thousand networks are needed to exhaust the memory. */
const NEW_PER_NETWORK = 30;
/**
 * Reports of views in this and the previous minutes: three or four per view, and some forms. On a site with hundreds
 * of apps, each may be of another app.
 */
const REPORTS_PER_NETWORK = 100;

const MOST = {
  first: 1,
  later: 1,
  vitals: 1,
  experiment: 1,
  form: MAX_FORM_REPORTS,
  faults: MAX_FAULT_REPORTS,
} as const;
/** A view's counts are packed into one number of 16 bits: one bit each, the last two of them three bits. */
const SHIFT = { first: 0, later: 1, vitals: 2, experiment: 3, form: 4, faults: 7 } as const;

export type Use = 'new' | 'repeated' | 'network' | 'full';

interface UsedReports {
  report(token: string, network: string, report: Report): Use;
  fault(token: string, network: string, report: Report, fault: Fault): Use;
}

export function createUsedReports(now: () => number): UsedReports {
  const views = createRecently(now, MAX_REMEMBERED);
  const faults = createRecently(now, MAX_REMEMBERED);
  const newViews = networkQuota(NEW_PER_NETWORK, now);
  const newReports = networkQuota(REPORTS_PER_NETWORK, now);
  const newFaults = networkQuota(NEW_PER_NETWORK, now);
  const viewKey = (token: string, { view }: Report) => `${token} ${view.number}`;

  return {
    report(token, network, report) {
      const slot = report.kind === 'outcome' ? report.stretch : report.kind;
      const view = viewKey(token, report);
      const known = views.get(view);
      const most = MOST[slot];
      if (((known >> SHIFT[slot]) & (most === 1 ? 1 : 7)) >= most) return 'repeated';
      for (const quota of known > 0 ? [newReports] : [newViews, newReports]) {
        const may = quota.take(network);
        if (may !== 'allowed') return dropReason(may);
      }
      return views.set(view, known + (1 << SHIFT[slot])) ? 'new' : 'full';
    },
    fault(token, network, report, { kind, app, message, file, line, column }) {
      const key = JSON.stringify([viewKey(token, report), kind, app, message, file, line, column]);
      if (faults.get(key) > 0) return 'repeated';
      const may = newFaults.take(network);
      if (may !== 'allowed') return dropReason(may);
      return faults.set(key, 1) ? 'new' : 'full';
    },
  };
}

/** Counts that are remembered for the lifetime of a token, and forgotten soon after. */
interface Recently {
  get(key: string): number;
  /** False when there is no room for another key: the new key is dropped rather than an old one evicted. */
  set(key: string, count: number): boolean;
}

export function createRecently(now: () => number, most: number): Recently {
  // Two generations: when the older one is dropped, all of its tokens have expired.
  let recent = createHashedCounts(most);
  let former = createHashedCounts(most);
  let turnedAt = now();

  function turn(): void {
    const age = now() - turnedAt;
    if (age < REPORT_TOKEN_MS) return;
    if (age >= 2 * REPORT_TOKEN_MS) recent.clear();
    former.clear();
    [recent, former] = [former, recent];
    turnedAt = now();
  }

  return {
    get(key) {
      turn();
      return recent.get(key) || former.get(key);
    },
    set(key, count) {
      turn();
      return recent.set(key, count);
    },
  };
}
