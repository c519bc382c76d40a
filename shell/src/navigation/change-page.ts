import { flushSync } from 'react-dom';
import { mainId } from '../layout/main-id.ts';
import type { Arrival } from './navigation.ts';

/**
 * Changes the page, and lets a new one appear softly. Not by a view transition: for that the browser draws the old page
 * and the new one once more each, which takes a slow phone longer than the navigation itself (300 of 840 ms).
 *
 * @param arrive scrolls to where the visitor belongs in the new page.
 * @param arrival at the top of another page, content far below is laid out only after the first frame; elsewhere its height must be
 *   true before.
 */
export function changePage(update: () => void, arrive: () => void, arrival: Arrival): void {
  const fromTop = arrival === 'page-top';
  const main = document.getElementById(mainId);
  main?.toggleAttribute('data-arriving', fromTop);
  flushSync(update);
  // Only now: an anchor of the new page is not there before, and the old page may be too short to scroll that far.
  arrive();
  if (fromTop) requestAnimationFrame(() => setTimeout(() => main?.removeAttribute('data-arriving')));
  if (arrival !== 'same-page' && !matchMedia('(prefers-reduced-motion: reduce)').matches)
    main?.animate({ opacity: [0.4, 1] }, { duration: 150, easing: 'ease-out' });
}
