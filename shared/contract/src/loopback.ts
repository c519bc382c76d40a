/**
 * Whether a host name always refers to this machine. Names below `localhost` do so only in browsers.
 * @see https://www.rfc-editor.org/rfc/rfc6761#section-6.3
 */
export function isLoopbackHost(hostname: string): boolean {
  return /^(localhost|127(\.\d+){3}|\[::1\])$/.test(hostname);
}

/** Whether traffic to the URL cannot be intercepted: https, or within this machine. */
export function isHttpsOrLocal({ protocol, hostname }: URL): boolean {
  return protocol === 'https:' || (protocol === 'http:' && isLoopbackHost(hostname));
}
