import type { FastifyRequest } from 'fastify';
import { parseCookie, stringifySetCookie } from 'cookie';
import { CONSOLE_HEADER } from '@site/contract/registry-calls/session.calls';
import { SECRET } from '@site/contract/secret.schema';
import { registryErrors } from '../errors/registry-errors.ts';

/**
 * Browsers take a cookie of this name from this very host alone, over https (or from this machine) alone, and never from a script:
 * nobody can put a session of theirs in its place. Those that do not know `__Host-Http-` know what it begins with, `__Host-`.
 */
const COOKIE = '__Host-Http-console';

/** What is set holds nothing that would be written otherwise in a cookie. */
const asItIs = { decode: (value: string) => value };

/** The session that a request comes with; null when there is none. */
export function sessionIdOf({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  if (!headers.cookie) return null;
  const id = parseCookie(headers.cookie, asItIs)[COOKIE];
  return id !== undefined && SECRET.test(id) ? id : null;
}

/** Signs a browser in, for some seconds. */
export function sessionCookie(id: string, seconds: number): string {
  return stringifySetCookie({
    name: COOKIE,
    value: id,
    maxAge: seconds,
    path: '/',
    secure: true,
    httpOnly: true,
    sameSite: 'strict',
  });
}

/** Signs a browser out. */
export const noSessionCookie = (): string => sessionCookie('', 0);

/**
 * A cookie goes along with whatever makes a browser ask, so it counts only for what the console's own pages ask for: browsers say
 * where a request comes from, and no page can make them say otherwise. `same-site` is not enough: the site that is composed of
 * everybody's code may be one. A change carries a header of its own, too, which takes a script of this origin to send.
 *
 * @throws ApiError `request_foreign`.
 */
export function requireOwnPage({ method, headers }: Pick<FastifyRequest, 'method' | 'headers'>): void {
  const site = headers['sec-fetch-site'];
  const mode = headers['sec-fetch-mode'];
  const refuse = (what: string, header: string) =>
    registryErrors.request_foreign(what, { source: { header } });
  if (site !== 'same-origin') {
    throw refuse(
      site === undefined
        ? 'The browser does not say where the request comes from ("sec-fetch-site").'
        : `It comes from a page of another origin ("sec-fetch-site: ${site.slice(0, 20)}").`,
      'sec-fetch-site',
    );
  }
  if (mode !== 'cors' && mode !== 'same-origin') {
    throw refuse('It was not sent by a script of the console ("sec-fetch-mode").', 'sec-fetch-mode');
  }
  if (method !== 'GET' && method !== 'HEAD' && headers[CONSOLE_HEADER] !== '1') {
    throw refuse(`It changes something and lacks the header "${CONSOLE_HEADER}: 1".`, CONSOLE_HEADER);
  }
}
