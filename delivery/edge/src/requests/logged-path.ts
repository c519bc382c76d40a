import type { RequestTarget } from './read-target.ts';
import type { Route } from './route-request.ts';

/**
 * The path of a request as logged: without the query, and `*` for unknown paths, because both may contain anything,
 * such as an email address typed into the wrong field.
 *
 * @param route null if the request was not routed.
 */
export function loggedPath(target: RequestTarget, route: Route | null, status: number): string {
  switch (route?.kind) {
    case 'redirect':
      return route.from;
    case 'old-asset':
      return status < 400 ? target.path : '/assets/*';
    case 'method-not-allowed':
      return loggedPath(target, route.instead, status);
    case undefined:
    case 'not-found':
    case 'bad-request':
    case 'no-release':
      return '*';
    default:
      return target.path;
  }
}
