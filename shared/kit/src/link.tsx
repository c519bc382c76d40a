import { withoutTrailingSlashes } from '@site/contract/trailing-slashes';
import type { AnchorHTMLAttributes } from 'react';
import { useHref, useLinkClickHandler, useResolvedPath, type To } from 'react-router-dom';
import { useEachNavigation, useLocation } from './store-router.tsx';

export interface LinkProps extends Omit<AnchorHTMLAttributes<HTMLAnchorElement>, 'href'> {
  /** A path of the site, whichever remote owns it. */
  to: To;
  replace?: boolean;
  /** Stay at the scroll position: for a change of query alone. */
  preventScrollReset?: boolean;
}

/**
 * A link within the site: navigation without a reload. The router's own component can do more that needs its data routers,
 * and costs every page 5 KB for it.
 */
export function Link({ to, replace, preventScrollReset = false, onClick, children, ...anchor }: LinkProps) {
  useEachNavigation();
  const href = useHref(to);
  const navigate = useLinkClickHandler(to, {
    preventScrollReset,
    ...(replace === undefined ? {} : { replace }),
    ...(anchor.target === undefined ? {} : { target: anchor.target }),
  });
  return (
    <a
      {...anchor}
      href={href}
      onClick={(event) => {
        onClick?.(event);
        if (!event.defaultPrevented) navigate(event);
      }}
    >
      {children}
    </a>
  );
}

/** A link that says so while its page is shown. */
export function NavLink(props: LinkProps) {
  const here = withoutTrailingSlashes(useLocation().pathname);
  const isHere = withoutTrailingSlashes(useResolvedPath(props.to).pathname) === here;
  return <Link aria-current={isHere ? 'page' : undefined} {...props} />;
}
