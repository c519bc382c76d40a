import type { Ref } from 'react';
import {
  Link as RouterLink,
  NavLink as RouterNavLink,
  type LinkProps as RouterLinkProps,
  type NavLinkProps as RouterNavLinkProps,
} from 'react-router-dom';

export type LinkProps = Omit<RouterLinkProps, 'viewTransition'> & { ref?: Ref<HTMLAnchorElement> };

/** A link to a page of the site. Navigates without a reload, whichever remote owns the page. */
export function Link(props: LinkProps) {
  return <RouterLink viewTransition {...props} />;
}

export type NavLinkProps = Omit<RouterNavLinkProps, 'viewTransition'> & { ref?: Ref<HTMLAnchorElement> };

/** A `Link` that carries `aria-current="page"` while its page is shown. */
export function NavLink(props: NavLinkProps) {
  return <RouterNavLink viewTransition {...props} />;
}
