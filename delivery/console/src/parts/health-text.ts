import type { Health } from '@site/contract/registry-calls/view.calls';
import { counted, milliseconds, perThousand } from './numbers.ts';

/** Health in one line, without unmeasured values. */
export function healthText({ views, faults, lcp, inp }: Health): string {
  if (!faults) return 'no views';
  return [
    `${perThousand(faults.rate)} faults per 1,000 of ${counted(views, 'view')}`,
    ...(lcp === null ? [] : [`LCP ${milliseconds(lcp)}`]),
    ...(inp === null ? [] : [`INP ${milliseconds(inp)}`]),
  ].join(', ');
}
