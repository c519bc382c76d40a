import type { IncomingHttpHeaders } from 'node:http';
import type { Route } from './route-request.ts';

/** A script that continues after its page: browsers run it for every later page below its address. */
const outlivesPage = ['serviceworker', 'sharedworker'];

/**
 * Refuses scripts that would survive a rollback of their version. The shell has no service worker, so every such
 * request is refused. Other workers end with their page, and only the shell has one (the captcha's).
 * @param formerWorkers the paths where the edge serves workers that remove themselves.
 * @see https://w3c.github.io/ServiceWorker/#service-worker-script-request
 */
export function refusedScript(
  route: Route,
  headers: IncomingHttpHeaders,
  formerWorkers: readonly string[] = [],
): Route {
  if (route.kind === 'root-file' && formerWorkers.includes(route.path)) return route;
  const destination = headers['sec-fetch-dest'] ?? '';
  if (headers['service-worker'] !== undefined || outlivesPage.includes(destination))
    return { kind: 'refused-script' };
  if (destination !== 'worker') return route;
  if (route.kind === 'old-asset' && route.app === 'shell') return { ...route, isWorker: true };
  return route.kind === 'asset' && route.app === 'shell' ? route : { kind: 'refused-script' };
}
