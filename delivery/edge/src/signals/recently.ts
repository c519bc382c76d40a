import { createHashedCounts } from '../limits/hashed-counts.ts';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';

/** Counts that are remembered for the lifetime of a token, and forgotten soon after. */
interface Recently {
  /** 0 for unknown keys. */
  get(key: string): number;
  /** False when there is no room for another key: the new key is dropped rather than an old one evicted. */
  set(key: string, count: number): boolean;
}

/** @param most maximum number of keys within the lifetime of a token. */
export function createRecently(now: () => number, most: number): Recently {
  // Two generations: when the older one is dropped, all of its tokens have expired.
  let recent = createHashedCounts(most);
  let former = createHashedCounts(most);
  let turnedAt = now();

  function turn(): void {
    const age = now() - turnedAt;
    if (age < REPORT_TOKEN_MS) return;
    if (age >= 2 * REPORT_TOKEN_MS) recent.clear();
    former.clear();
    [recent, former] = [former, recent];
    turnedAt = now();
  }

  return {
    get(key) {
      turn();
      return recent.get(key) || former.get(key);
    },
    set(key, count) {
      turn();
      return recent.set(key, count);
    },
  };
}
