import { flushSync } from 'react-dom';

/**
 * Changes the page with the browser's own view transition, where there is one and the visitor did not ask for less
 * motion.
 *
 * @see https://drafts.csswg.org/css-view-transitions-1/
 */
export function transitionPage(update: () => void): void {
  const change = () => {
    flushSync(update);
  };
  const calm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  if (calm || document.visibilityState === 'hidden' || !('startViewTransition' in document)) return change();
  document.startViewTransition(change).ready.catch(() => undefined); // skipped by a newer one: the change is made all the same
}
