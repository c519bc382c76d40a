export interface QuotaOptions {
  /** Of one key, in a minute. */
  perKey: number;
  /** Of all together, in a minute. Without it one key can never use up what another one has. */
  perMinute?: number;
  /** So many keys are remembered: further ones get nothing in this minute. It bounds the memory. */
  maxKeys?: number;
  /** Milliseconds since 1970. */
  now(): number;
}

const MINUTE_MS = 60_000;

/**
 * Counts within each minute.
 *
 * @returns counts one for a key, and says whether that is allowed; else whether the key has had enough, or all together.
 */
export function createMinuteQuota({
  perKey,
  perMinute = Infinity,
  maxKeys = Infinity,
  now,
}: QuotaOptions): (key: string) => 'allowed' | 'key' | 'all' {
  let minute = 0;
  let all = 0;
  let counts = new Map<string, number>();
  return (key) => {
    const current = Math.floor(now() / MINUTE_MS);
    if (current !== minute) {
      minute = current;
      all = 0;
      counts = new Map();
    }
    const own = counts.get(key);
    if (own !== undefined && own >= perKey) return 'key';
    if (all >= perMinute || (own === undefined && counts.size >= maxKeys)) return 'all';
    all += 1;
    counts.set(key, (own ?? 0) + 1);
    return 'allowed';
  };
}
