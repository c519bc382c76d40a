import { isIP } from 'node:net';
import { ipv6Groups } from '@site/server/client-address';

/**
 * An IP address without the part that tells one household from another: the last 8 bits of IPv4 and the last 80 of IPv6
 * are zero. Empty when it is not an address.
 */
export function shortenAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  switch (isIP(mapped)) {
    case 4:
      return mapped.replace(/\d+$/, '0');
    case 6:
      return `${ipv6Groups(mapped).slice(0, 3).join(':')}::`;
    default:
      return '';
  }
}
