import { flushSync } from 'react-dom';

/**
 * Changes the page with the browser's own view transition, where there is one and the visitor did not ask for less
 * motion. `arrive` runs once the new page stands in the document.
 *
 * @see https://drafts.csswg.org/css-view-transitions-1/
 */
export function transitionPage(update: () => void, arrive: () => void): void {
  const change = () => {
    flushSync(update);
    // Only now: an anchor of the new page is not there before, and the old page may be too short to scroll that far.
    arrive();
  };
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (calm || document.visibilityState === 'hidden' || !('startViewTransition' in document)) return change();
  document.startViewTransition(change).ready.catch(() => undefined); // skipped by a newer one: the change is made all the same
}
