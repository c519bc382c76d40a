import { createHashedCounts } from '../limits/hashed-counts.ts';
import { REPORT_TOKEN_MS } from '@site/contract/signals/report-limits';

/** Counts that are remembered for as long as a token can be good, and forgotten soon after. */
interface Recently {
  /** 0 for what is not known. */
  get(key: string): number;
  /** False when there is no room for another key: the new key is dropped rather than an old one evicted. */
  set(key: string, count: number): boolean;
}

/** @param most how many keys are remembered for as long as a token is good. */
export function createRecently(now: () => number, most: number): Recently {
  // Two halves of a memory that forgets: what is in the older one belongs to tokens that have ended when it goes.
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
