import type { Target } from './read-target.ts';
import type { Answer } from './route-request.ts';

/**
 * The path of a request as it may be kept: without the query, and `*` for what nobody owns. Both may hold anything, an
 * address typed into the wrong place, too.
 *
 * @param answer null when the request was not routed.
 */
export function loggedPath(target: Target, answer: Answer | null, status: number): string {
  switch (answer?.kind) {
    case 'redirect':
      return answer.from;
    case 'old-asset':
      return status < 400 ? target.path : '/assets/*';
    case 'method-not-allowed':
      return loggedPath(target, answer.instead, status);
    case undefined:
    case 'not-found':
    case 'bad-request':
    case 'no-release':
      return '*';
    default:
      return target.path;
  }
}
