/**
 * Whether a URL's host name is this machine's own for every program. Names below `localhost` are so for browsers alone.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}
