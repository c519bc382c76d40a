import { waitFor } from '@site/server/testing/wait-for';

/** A timeout for slow and busy machines, not a performance limit. */
export const PATIENCE_MS = 120_000;

export function until<T>(check: () => T | Promise<T>): Promise<Exclude<T, false | null>> {
  return waitFor(check, { limitMs: PATIENCE_MS });
}
