import { MAX_FAULT_REPORTS, MAX_FORM_REPORTS } from '@site/contract/signals/report-limits';
import type { Fault, Report } from '@site/contract/signals/report.schema';
import { createRecently } from './recently.ts';
import { networkQuota, shortOf } from './network-quota.ts';

/**
 * Maximum number of views, and of faults, remembered for ten minutes: 1,300 a second, in 21 MB each. At the limit, new
 * ones are dropped, because evicted ones could be counted twice.
 */
const MAX_REMEMBERED = 786_432;
/** Maximum per network and minute: more than a thousand networks are needed to exhaust the memory. */
const NEW_PER_NETWORK = 30;
/**
 * Reports of views in this and the previous minutes: three per view, and some forms. On a site with hundreds
 * of apps, each may be of another app.
 */
const REPORTS_PER_NETWORK = 100;

/** Maximum number of reports of each kind per view. */
const MOST = { first: 1, later: 1, vitals: 1, form: MAX_FORM_REPORTS, faults: MAX_FAULT_REPORTS } as const;
const slots = Object.keys(MOST) as (keyof typeof MOST)[];
/** A view's counts are packed into one number, three bits each. */
const BITS = 3;
const MASK = 2 ** BITS - 1;

export type Use = 'new' | 'repeated' | 'network' | 'full';

/** Deduplicates the reports of tokens' views. */
interface UsedReports {
  /**
   * 'new' for a report that may count, and remembers it.
   * @param network of the report.
   */
  report(token: string, network: string, report: Report): Use;
  /** The same for a fault: repetitions in a view count once. */
  fault(token: string, network: string, report: Report, fault: Fault): Use;
}

/** Remembers for the lifetime of a token. */
export function createUsedReports(now: () => number): UsedReports {
  const views = createRecently(now, MAX_REMEMBERED);
  const faults = createRecently(now, MAX_REMEMBERED);
  const newViews = networkQuota(NEW_PER_NETWORK, now);
  const newReports = networkQuota(REPORTS_PER_NETWORK, now);
  const newFaults = networkQuota(NEW_PER_NETWORK, now);
  const viewOf = (token: string, { view }: Report) => `${token} ${view.number}`;

  return {
    report(token, network, report) {
      const slot = report.kind === 'outcome' ? report.stretch : report.kind;
      const shift = slots.indexOf(slot) * BITS;
      const view = viewOf(token, report);
      const known = views.get(view);
      if (((known >> shift) & MASK) >= MOST[slot]) return 'repeated';
      for (const quota of known > 0 ? [newReports] : [newViews, newReports]) {
        const may = quota.take(network);
        if (may !== 'allowed') return shortOf(may);
      }
      return views.set(view, known + (1 << shift)) ? 'new' : 'full';
    },
    fault(token, network, report, { kind, app, message, file, line, column }) {
      const key = JSON.stringify([viewOf(token, report), kind, app, message, file, line, column]);
      if (faults.get(key) > 0) return 'repeated';
      const may = newFaults.take(network);
      if (may !== 'allowed') return shortOf(may);
      return faults.set(key, 1) ? 'new' : 'full';
    },
  };
}
