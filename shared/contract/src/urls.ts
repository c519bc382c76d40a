/** The edge's endpoint for open tabs: `TableAnswer`, and for `?release=r12` `StateAnswer`. */
export const STATE_PATH = '/__site/state';

export interface StateAnswer {
  /** The release that the visitor would get now. */
  release: string | null;
  /** The tab's own release if it must be left. */
  revoked: string[];
}

export function isWebAddress(text: string): boolean {
  return URL.canParse(text) && /^https?:$/.test(new URL(text).protocol);
}

/**
 * Whether a host name always refers to this machine. Names below `localhost` do so only in browsers.
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost\.?|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

export function isHttpsOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}

/**
 * Removes all trailing slashes; `/` becomes empty. In linear time: a regular expression would be quadratic,
 * and anyone can request a path with 16,000 slashes.
 */
export function withoutTrailingSlashes(path: string): string {
  let end = path.length;
  while (path[end - 1] === '/') end -= 1;
  return path.slice(0, end);
}

/** Relative URLs resolve below the result. */
export function withTrailingSlash(url: string): string {
  return url.endsWith('/') ? url : `${url}/`;
}
