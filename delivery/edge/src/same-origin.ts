import type { EdgeRequest } from './listen.ts';

/**
 * Whether a page of the site itself sent a request. Browsers before 2023 do not say so, but name the page's origin.
 *
 * @see https://www.w3.org/TR/fetch-metadata/
 */
export function isSameOrigin({ headers }: Pick<EdgeRequest, 'headers'>, origin: string): boolean {
  const site = headers['sec-fetch-site'];
  return site === undefined ? headers.origin === origin : site === 'same-origin';
}
