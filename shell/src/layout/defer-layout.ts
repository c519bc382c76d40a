import { mainId } from './main-id.ts';

/**
 * Defers the layout below the fold (`layout.module.css`), or not. Positions far down a page are exact only when it is
 * complete.
 */
export function deferLayout(isDeferred: boolean): void {
  document.getElementById(mainId)?.toggleAttribute('data-whole', !isDeferred);
}
