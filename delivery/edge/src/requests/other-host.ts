import type { EdgeRequest } from '../server/listen.ts';
import type { View } from './choose-view.ts';
import type { RequestTarget } from './read-target.ts';
import type { Route } from './route-request.ts';

/** Only pages are redirected: proxies request files and the edge's own addresses by any host name. */
const pages: readonly Route['kind'][] = ['document', 'search-page', 'redirect', 'gone'];

export interface RequestedPage {
  target: RequestTarget;
  route: Route;
  view: View;
  isProxied: boolean;
}

/**
 * The same page at the origin of the configuration, if the visitor uses another host name; its forms and cookies work
 * only there. Ports differ behind proxies, so only names count. A preview stays where its cookie is.
 */
export function pageAtOrigin(
  { headers }: Pick<EdgeRequest, 'headers'>,
  { target, route, view, isProxied }: RequestedPage,
): Route | null {
  const { cohort, release } = view;
  if (!release || cohort === 'preview' || !pages.includes(route.kind)) return null;
  const reported = isProxied ? headers['x-forwarded-host'] : undefined;
  const host =
    typeof reported === 'string' ? reported.split(',', 1)[0] : (headers[':authority'] ?? headers.host);
  const { origin } = release.document.release.config;
  if (typeof host !== 'string' || origin.endsWith(`//${host}`)) return null;
  const name = URL.parse(`http://${host.trim()}`)?.hostname;
  if (!name || name === new URL(origin).hostname) return null;
  return { kind: 'other-host', location: `${origin}${target.path}${target.query}`, instead: route };
}
