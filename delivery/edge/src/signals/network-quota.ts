import { createMinuteQuota, type Left, type MinuteQuota } from '../limits/minute-quota.ts';

/** Maximum number of distinct networks per minute. Not more than views: an edge accepts 1,000 a second. */
const MAX_NETWORKS = 98_304;

export function networkQuota(perNetwork: number, now: () => number): MinuteQuota {
  return createMinuteQuota({ perKey: perNetwork, maxKeys: MAX_NETWORKS, now });
}

export function dropReason(left: Exclude<Left, 'allowed'>): 'network' | 'full' {
  return left === 'key' ? 'network' : 'full';
}

const privateNetwork =
  /^(?:(?:10|127)\.|192\.168\.|172\.(?:1[6-9]|2\d|3[01])\.|169\.254\.|0:0:0:0$|f[cd][\da-f]{2}:|fe[89ab][\da-f]:)/;

/** Such as a developer's machine or an office without addresses of its own. @param caller from `clientNetwork`. */
export function isPrivateNetwork(caller: string): boolean {
  return privateNetwork.test(caller);
}

/**
 * The network that reports are counted by: /24 of IPv4, /48 of IPv6, because one owner usually has all of its
 * addresses.
 * @param caller from `clientNetwork`.
 */
export function toSubnet(caller: string): string {
  return caller.includes('.')
    ? caller.split('.').slice(0, 3).join('.')
    : caller.split(':').slice(0, 3).join(':');
}
