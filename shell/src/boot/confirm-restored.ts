import type { ReleaseWatch } from '../pages/release-watch.ts';

/**
 * A page from the browser's back/forward cache may have been withdrawn. It accepts no input until the edge has
 * confirmed its release, and reloads if that was revoked.
 */
export function confirmRestored(
  page: Window,
  watch: Pick<ReleaseWatch, 'returned' | 'isRevoked'>,
  reload = () => page.location.reload(),
): void {
  page.addEventListener('pageshow', ({ persisted }) => {
    if (!persisted) return;
    const { body, activeElement } = page.document;
    body.inert = true;
    watch.returned();
    void watch.isRevoked().then((isRevoked) => {
      if (isRevoked) return reload();
      body.inert = false;
      // An inert element loses the focus.
      if (activeElement instanceof HTMLElement) activeElement.focus({ preventScroll: true });
    });
  });
}
