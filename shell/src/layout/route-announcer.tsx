import { useEffect, useRef } from 'react';
import { useLocation } from '@site/kit';
import { mainId } from './main-id.ts';

/**
 * Replicates a page load's behavior for a navigation within the site: announces the new page's title and moves the
 * focus to its content or to the link's anchor, even if the URL already contains that anchor. A change of the query
 * alone does not move the focus.
 */
export function RouteAnnouncer() {
  const location = useLocation();
  const region = useRef<HTMLDivElement>(null);
  const shown = useRef(location);

  useEffect(() => {
    const before = shown.current;
    const { pathname, search, hash, key } = location;
    shown.current = location;
    // Each navigation has a unique key, including one to the current URL.
    if (before.key === key) return;
    const newPage = before.pathname !== pathname;
    if (!newPage && before.hash === hash && before.search !== search) return;

    const target = findAnchor(hash) ?? (newPage ? document.getElementById(mainId) : null);
    if (target) focus(target);
    if (newPage && region.current) region.current.textContent = document.title;
  }, [location]);

  return <div ref={region} role="status" className="visually-hidden" />;
}

function findAnchor(hash: string): HTMLElement | null {
  try {
    return hash.length > 1 ? document.getElementById(decodeURIComponent(hash.slice(1))) : null;
  } catch {
    return null;
  }
}

function focus(target: HTMLElement) {
  // Open a collapsed question before moving the focus into it.
  const closed = target.closest('details:not([open])');
  if (closed) closed.setAttribute('open', '');
  if (target.tabIndex < 0 && !target.hasAttribute('tabindex')) target.setAttribute('tabindex', '-1');
  // ScrollRestoration handles the scroll position.
  target.focus({ preventScroll: true });
}
