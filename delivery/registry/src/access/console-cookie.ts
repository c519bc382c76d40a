import type { FastifyRequest } from 'fastify';
import { stringifySetCookie } from 'cookie';
import { cookieValues } from '@site/contract/cookies';
import { CONSOLE_HEADER } from '@site/contract/registry-calls/session.calls';
import { SECRET } from '@site/contract/secret.schema';
import { registryErrors } from '../kernel/registry-errors.ts';

/**
 * Browsers accept a cookie of this name only from this exact host, only over https (or from localhost), and never from
 * a script, which prevents session fixation. Browsers that do not support `__Host-Http-` apply its prefix `__Host-`.
 */
const COOKIE = '__Host-Http-console';

export function readSessionId({ headers }: Pick<FastifyRequest, 'headers'>): string | null {
  return cookieValues(headers.cookie ?? '', COOKIE).find((id) => SECRET.test(id)) ?? null;
}

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

export const noSessionCookie = (): string => sessionCookie('', 0);

/**
 * CSRF protection: a session cookie counts only in requests of the console's own pages, identified by fetch metadata,
 * which pages cannot forge. `same-site` is not enough, because the composed site with all teams' code may be same-site.
 * Write requests also need a custom header, which only scripts of this origin can send.
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
