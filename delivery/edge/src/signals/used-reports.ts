import { MAX_FAULT_REPORTS, MAX_FORM_REPORTS } from '@site/contract/signals/report-limits';
import type { Report } from '@site/contract/signals/report.schema';
import { TOKEN_MS } from './token.ts';

/** So many views are remembered. Past that new ones are not counted, rather than old ones twice. */
export const MAX_REMEMBERED = 200_000;

/** How often one view may send each kind of report. */
const most = { first: 1, later: 1, vitals: 1, form: MAX_FORM_REPORTS, faults: MAX_FAULT_REPORTS } as const;
const slots = Object.keys(most) as (keyof typeof most)[];
/** A view's counts stand in one number, three bits each. */
const BITS = 3;
const MASK = 2 ** BITS - 1;

/**
 * Remembers which reports a token has brought, for as long as the token can be good: what comes again is not counted.
 *
 * @returns 'new' for a report that may count, and remembers it.
 */
export function createUsedReports(
  now: () => number,
): (token: string, report: Report) => 'new' | 'repeated' | 'full' {
  // Two halves of a memory that forgets: what is in the older one belongs to tokens that have ended when it goes.
  let recent = new Map<string, number>();
  let former = new Map<string, number>();
  let turnedAt = now();

  return (token, report) => {
    if (now() - turnedAt >= TOKEN_MS) {
      former = now() - turnedAt >= 2 * TOKEN_MS ? new Map<string, number>() : recent;
      recent = new Map();
      turnedAt = now();
    }
    const slot = report.kind === 'outcome' ? report.stretch : report.kind;
    const shift = slots.indexOf(slot) * BITS;
    const view = `${token} ${report.view.number}`;
    const known = recent.get(view) ?? former.get(view);
    if (known === undefined && recent.size + former.size >= MAX_REMEMBERED) return 'full';
    if ((((known ?? 0) >> shift) & MASK) >= most[slot]) return 'repeated';
    recent.set(view, (known ?? 0) + (1 << shift));
    return 'new';
  };
}
