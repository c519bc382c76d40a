import { MAX_FAULT_REPORTS, MAX_FORM_REPORTS } from '@site/contract/signals/report-limits';
import type { Fault, Report } from '@site/contract/signals/report.schema';
import { createRecently } from './recently.ts';
import { networkQuota, shortOf } from './network-quota.ts';

/**
 * How many views, and how many faults, are remembered for ten minutes: 1,300 a second, in 21 MB each. When full, new ones are not
 * counted, rather than old ones twice.
 */
const MAX_REMEMBERED = 786_432;
/** How many of these one network may add per minute: it takes more than a thousand networks to leave no room for the others. */
const NEW_PER_NETWORK = 30;
/** Reports of these, and of the views of the minutes before: three of each view, and some forms. Where a site has hundreds of apps, each may be of another. */
const REPORTS_PER_NETWORK = 100;

/** How often one view may send each kind of report. */
const MOST = { first: 1, later: 1, vitals: 1, form: MAX_FORM_REPORTS, faults: MAX_FAULT_REPORTS } as const;
const slots = Object.keys(MOST) as (keyof typeof MOST)[];
/** A view's counts stand in one number, three bits each. */
const BITS = 3;
const MASK = 2 ** BITS - 1;

export type Use = 'new' | 'repeated' | 'network' | 'full';

/** What the views of tokens have told. What comes again is not counted. */
interface UsedReports {
  /** 'new' for a report that may count, and remembers it. @param network that it came from. */
  report(token: string, network: string, report: Report): Use;
  /** The same of a fault: in one view it counts once, however often it happens there. */
  fault(token: string, network: string, report: Report, fault: Fault): Use;
}

/** Remembers for as long as the token can be good. */
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
