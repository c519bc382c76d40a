/**
 * The network that reports count by: /24 of IPv4, /48 of IPv6. One owner has many addresses of these, so they count together.
 *
 * @param caller as `networkOf` gives it: an IPv4 address, or the first four groups of an IPv6 one.
 */
export function wideNetwork(caller: string): string {
  return caller.includes('.')
    ? caller.split('.').slice(0, 3).join('.')
    : caller.split(':').slice(0, 3).join(':');
}
