import type { Health } from '@site/contract/registry-calls/view.calls';
import { counted, milliseconds, perThousand } from './numbers.ts';

/** How something did, in one line; what was not measured is left out. */
export function healthText({ views, faults, lcp, inp }: Health): string {
  if (!faults) return 'no views counted';
  return [
    `${perThousand(faults.rate)} faults per 1,000 of ${counted(views, 'view')}`,
    ...(lcp === null ? [] : [`LCP ${milliseconds(lcp)}`]),
    ...(inp === null ? [] : [`INP ${milliseconds(inp)}`]),
  ].join(', ');
}
