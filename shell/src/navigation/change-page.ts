import { flushSync } from 'react-dom';
import { mainId } from '../layout/main-id.ts';

/**
 * Changes the page, and lets the new one appear softly. Not by a view transition: for that the browser draws the old page
 * and the new one once more each, which takes a slow phone longer than the navigation itself (300 of 840 ms).
 */
export function changePage(update: () => void, arrive: () => void): void {
  flushSync(update);
  // Only now: an anchor of the new page is not there before, and the old page may be too short to scroll that far.
  arrive();
  if (!matchMedia('(prefers-reduced-motion: reduce)').matches)
    document.getElementById(mainId)?.animate({ opacity: [0.4, 1] }, { duration: 150, easing: 'ease-out' });
}
