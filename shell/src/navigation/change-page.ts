import { flushSync } from 'react-dom';
import { deferLayout } from '../layout/defer-layout.ts';
import { mainId } from '../layout/main-id.ts';
import type { Arrival } from './navigation.ts';

/**
 * Changes the page with a soft transition. Not a view transition: the browser would render the old and the new page
 * once more each, which takes a slow phone longer than the navigation itself (300 of 840 ms).
 *
 * @param arrive scrolls to the position in the new page.
 * @param arrival at the top of another page, layout below the fold is deferred until after the first frame. Elsewhere
 * its height must be correct before.
 */
export function changePage(update: () => void, arrive: () => void, arrival: Arrival): void {
  const fromTop = arrival === 'page-top';
  const main = document.getElementById(mainId);
  deferLayout(fromTop);
  flushSync(update);
  // Not earlier: an anchor of the new page does not exist yet, and the old page may be too short to scroll that far.
  arrive();
  if (fromTop) requestAnimationFrame(() => setTimeout(deferLayout, 0, false));
  if (arrival !== 'same-page' && !matchMedia('(prefers-reduced-motion: reduce)').matches)
    main?.animate({ opacity: [0.4, 1] }, { duration: 150, easing: 'ease-out' });
}
