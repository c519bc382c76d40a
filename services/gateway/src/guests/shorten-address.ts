import { isIP } from 'node:net';

/**
 * An IP address without the part that tells one household from another: the last 8 bits of IPv4 and the last 80 of IPv6
 * are zero. Empty when it is no address.
 */
export function shortenAddress(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1] ?? address;
  switch (isIP(mapped)) {
    case 4:
      return mapped.replace(/\d+$/, '0');
    case 6: {
      const [head = '', tail] = mapped.replace(/%.*$/, '').split('::');
      const first = head === '' ? [] : head.split(':');
      const last = tail ? tail.split(':') : [];
      const filled =
        tail === undefined
          ? first
          : [...first, ...Array<string>(8 - first.length - last.length).fill('0'), ...last];
      return `${filled
        .slice(0, 3)
        .map((group) => Number.parseInt(group, 16).toString(16))
        .join(':')}::`;
    }
    default:
      return '';
  }
}
