import { isIP } from 'node:net';
import { ipv6Groups, plainAddress } from '@site/server/client-address';

/**
 * Removes the part of an IP address that identifies a household: zeroes the last 8 bits of IPv4 and the last
 * 80 of IPv6. Empty for an invalid address.
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
