import { createHash } from 'node:crypto';
import { MAX_FAULT_REPORTS, MAX_FORM_REPORTS } from '@site/contract/signals/report-limits';
import type { Fault, Report } from '@site/contract/signals/report.schema';
import { createRecently } from './recently.ts';

/** So many views, and so many faults of views, are remembered. Past that new ones are not counted, rather than old ones twice. */
const MAX_REMEMBERED = 200_000;

/** How often one view may send each kind of report. */
const most = { first: 1, later: 1, vitals: 1, form: MAX_FORM_REPORTS, faults: MAX_FAULT_REPORTS } as const;
const slots = Object.keys(most) as (keyof typeof most)[];
/** A view's counts stand in one number, three bits each. */
const BITS = 3;
const MASK = 2 ** BITS - 1;

type Use = 'new' | 'repeated' | 'full';

/** What the views of tokens have told. What comes again is not counted. */
interface UsedReports {
  /** 'new' for a report that may count, and remembers it. */
  report(token: string, report: Report): Use;
  /** The same of a fault: in one view it counts once, however often it happens there. */
  fault(token: string, report: Report, fault: Fault): Use;
}

/** Remembers for as long as the token can be good. */
export function createUsedReports(now: () => number): UsedReports {
  const views = createRecently<number>(now, MAX_REMEMBERED);
  const faults = createRecently<true>(now, MAX_REMEMBERED);
  const viewOf = (token: string, { view }: Report) => `${token} ${view.number}`;

  return {
    report(token, report) {
      const slot = report.kind === 'outcome' ? report.stretch : report.kind;
      const shift = slots.indexOf(slot) * BITS;
      const view = viewOf(token, report);
      const known = views.get(view) ?? 0;
      if (((known >> shift) & MASK) >= most[slot]) return 'repeated';
      return views.set(view, known + (1 << shift)) ? 'new' : 'full';
    },
    fault(token, report, { kind, app, message, file, line, column }) {
      const told = JSON.stringify([viewOf(token, report), kind, app, message, file, line, column]);
      // Messages are long, and there may be many of them.
      const key = createHash('sha256').update(told).digest('base64url').slice(0, 16);
      if (faults.get(key)) return 'repeated';
      return faults.set(key, true) ? 'new' : 'full';
    },
  };
}
