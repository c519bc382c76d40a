import { withoutTrailingSlashes } from '@site/contract/urls';
import type { AnchorHTMLAttributes, MouseEvent } from 'react';
import type { To } from 'react-router-dom';
import { resolveTo, useHref, useLocation, useNavigate } from './store-router.tsx';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  to: To;
  replace?: boolean;
  /** Keeps the scroll position: for query changes. */
  preventScrollReset?: boolean;
}

/**
 * A link within the site: navigates without a reload. The router's own component also supports data routers,
 * and would add 5 KB to every page.
 */
export function Link({ to, replace, preventScrollReset = false, onClick, children, ...anchor }: LinkProps) {
  const here = useLocation();
  const navigate = useNavigate();
  const target = resolveTo(to, here.pathname);
  const isHere =
    target.pathname === here.pathname && target.search === here.search && target.hash === here.hash;
  const href = useHref(target);
  return (
    <a
      {...anchor}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (event.defaultPrevented || isForBrowser(event, anchor.target)) return;
        event.preventDefault();
        void navigate(to, { replace: replace ?? isHere, preventScrollReset });
      }}
    >
      {children}
    </a>
  );
}

function isForBrowser(event: MouseEvent, target = '_self'): boolean {
  return (
    event.button !== 0 ||
    target !== '_self' ||
    event.metaKey ||
    event.altKey ||
    event.ctrlKey ||
    event.shiftKey
  );
}

export function NavLink(props: LinkProps) {
  const { pathname } = useLocation();
  const isHere =
    withoutTrailingSlashes(resolveTo(props.to, pathname).pathname) === withoutTrailingSlashes(pathname);
  return <Link aria-current={isHere ? 'page' : undefined} {...props} />;
}
