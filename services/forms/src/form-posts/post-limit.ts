import { isIPv6 } from 'node:net';

const HOUR = 60 * 60 * 1000;
/** Addresses that are remembered at most. */
const MOST = 20_000;

/** Counts the forms that an address posts. */
export interface PostLimit {
  /** Counts one more. 0: it is within the limit; otherwise the seconds to wait. */
  take(address: string): number;
}

/**
 * Limits what browsers post without a captcha: so many forms an hour of one IPv4 address or IPv6 /64 network, counted by
 * each instance for itself. `perHour` 0: no limit.
 */
export function createPostLimit(perHour: number, now: () => number): PostLimit {
  const counts = new Map<string, { posts: number; endsAt: number }>();
  return {
    take(address) {
      if (perHour === 0) return 0;
      const key = networkOf(address);
      const known = counts.get(key);
      const count = known && known.endsAt > now() ? known : { posts: 0, endsAt: now() + HOUR };
      count.posts += 1;
      // Again at the end: the first ones are those whose hour began longest ago, or will soon be over.
      counts.delete(key);
      counts.set(key, count);
      if (counts.size > MOST) counts.delete(counts.keys().next().value as string);
      return count.posts > perHour ? Math.ceil((count.endsAt - now()) / 1000) : 0;
    },
  };
}

/** The address, or the /64 network of an IPv6 address, of which one household has 2^64. */
function networkOf(address: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(address)?.[1];
  if (mapped) return mapped;
  if (!isIPv6(address)) return address;
  const [head = '', tail] = address.split('::');
  const before = head.split(':').filter(Boolean);
  const after = (tail ?? '').split(':').filter(Boolean);
  const between = Array.from({ length: 8 - before.length - after.length }, () => '0');
  return [...before, ...between, ...after]
    .slice(0, 4)
    .map((group) => parseInt(group, 16).toString(16))
    .join(':');
}
