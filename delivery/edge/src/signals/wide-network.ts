/**
 * The network that reports are counted by: /24 of IPv4, /48 of IPv6, because one owner usually has all of its
 * addresses.
 * @param caller as returned by `networkOf`: an IPv4 address, or the first four groups of an IPv6 one.
 */
export function wideNetwork(caller: string): string {
  return caller.includes('.')
    ? caller.split('.').slice(0, 3).join('.')
    : caller.split(':').slice(0, 3).join(':');
}
