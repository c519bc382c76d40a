import { useEffect, useRef } from 'react';
import { useLocation } from '@site/kit';
import { mainId } from './main-id.ts';

/**
 * Does on a navigation within the site what the browser does on a page load: the new page's title is read out and the
 * focus starts at its content, or at the anchor that the link names, also when the address names it already. A change of the
 * query alone leaves the focus.
 */
export function RouteAnnouncer() {
  const location = useLocation();
  const region = useRef<HTMLDivElement>(null);
  const shown = useRef(location);

  useEffect(() => {
    const before = shown.current;
    const { pathname, search, hash, key } = location;
    shown.current = location;
    // Each navigation has a key of its own, also one to the address that is there already.
    if (before.key === key) return;
    const newPage = before.pathname !== pathname;
    if (!newPage && before.hash === hash && before.search !== search) return;

    const target = anchorOf(hash) ?? (newPage ? document.getElementById(mainId) : null);
    if (target) focus(target);
    if (newPage && region.current) region.current.textContent = document.title;
  }, [location]);

  return <div ref={region} role="status" className="visually-hidden" />;
}

function anchorOf(hash: string): HTMLElement | null {
  try {
    return hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null; // Not a valid encoding: the hash names nothing.
  }
}

function focus(target: HTMLElement) {
  // What stands inside a closed question is shown first.
  const closed = target.closest('details:not([open])');
  if (closed) closed.setAttribute('open', '');
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  // The scroll position is ScrollRestoration's business.
  target.focus({ preventScroll: true });
}
