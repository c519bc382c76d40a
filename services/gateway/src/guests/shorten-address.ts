import { isIP } from 'node:net';
import { ipv6Groups, plainAddress } from '@site/server/client-address';

/**
 * An IP address without the part that tells one household from another: the last 8 bits of IPv4 and the last 80 of IPv6
 * are zero. Empty when it is not an address.
 */
export function shortenAddress(address: string): string {
  const plain = plainAddress(address);
  switch (isIP(plain)) {
    case 4:
      return `${plain.slice(0, plain.lastIndexOf('.'))}.0`;
    case 6:
      return `${ipv6Groups(plain).slice(0, 3).join(':')}::`;
    default:
      return '';
  }
}
