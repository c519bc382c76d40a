import { Outlet, redirect, redirectDocument, type RouteObject } from 'react-router-dom';
import type { BootRoute, Redirect, VariantChoice } from '@site/contract';
import { SiteLayout } from './site-layout.tsx';
import type { PageLoader } from './page-loader.ts';
import { RemotePage, type RemotePageData } from './remote-page.tsx';

export interface SiteRoutesOptions {
  routes: BootRoute[];
  redirects: Redirect[];
  pages: PageLoader;
  /** True when a navigation must become a full page load (see `createReleaseWatch`). */
  isRevoked(): Promise<boolean>;
  /** Draws a page's variants, once each time the page is opened. */
  draw(route: BootRoute): VariantChoice;
}

/** The id under which react-router keeps a page's route and its data. */
export const routeId = (path: string) => `page:${path}`;

/** The route table of a release as react-router routes: the layout around every page, redirects as data. */
export function createSiteRoutes(options: SiteRoutesOptions): RouteObject[] {
  return [
    {
      element: (
        <SiteLayout>
          <Outlet />
        </SiteLayout>
      ),
      children: [
        ...options.routes.map((route) => pageRoute(route, options)),
        ...options.redirects.map(redirectRoute),
      ],
    },
  ];
}

function pageRoute(route: BootRoute, { pages, isRevoked, draw }: SiteRoutesOptions): RouteObject {
  return {
    id: routeId(route.path),
    path: route.path,
    async loader({ request }): Promise<RemotePageData> {
      const [revoked] = await Promise.all([isRevoked(), pages.load(route)]);
      // A thrown Response is how react-router is told to leave this document.
      // eslint-disable-next-line @typescript-eslint/only-throw-error
      if (revoked) throw redirectDocument(request.url);
      return { variants: draw(route) };
    },
    // A change of query or hash is not a new load of the page.
    shouldRevalidate: ({ currentUrl, nextUrl }) => currentUrl.pathname !== nextUrl.pathname,
    element: <RemotePage key={route.path} route={route} pages={pages} />,
  };
}

function redirectRoute({ from, to }: Redirect): RouteObject {
  return {
    path: from,
    loader({ request }) {
      const [path, anchor] = to.split('#');
      return redirect(`${path}${new URL(request.url).search}${anchor ? `#${anchor}` : ''}`);
    },
  };
}
