import { waitFor } from '@site/server/testing/wait-for';

/** How long something may take on a slow and busy machine. It is not a measure: only what never comes waits for its end. */
export const PATIENCE_MS = 120_000;

/** `waitFor` with the patience that browsers and builds need. */
export function until<T>(check: () => T | Promise<T>): Promise<Exclude<T, false | null>> {
  return waitFor(check, { limitMs: PATIENCE_MS });
}
