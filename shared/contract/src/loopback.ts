/**
 * Whether a URL's host name is this machine's own for every program. Names below `localhost` are so for browsers alone.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether nobody on the way can read what is sent there: over https, or within this machine. */
export function isHttpsOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
