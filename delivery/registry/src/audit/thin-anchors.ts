/** How many of the newest anchors are all kept. */
export const NEWEST_KEPT = 64;

/**
 * Which anchors of one epoch may go, so that their number grows with the logarithm of the log's length only. Each anchor
 * proves all entries before it, so the newest would do; older ones tell how far back a change reaches.
 *
 * @param sequences of the anchors that there are.
 * @returns those that are not among the newest, nor the oldest that is 2ⁿ to 2ⁿ⁺¹ entries behind the end.
 */
export function thinnedOut(sequences: readonly number[]): number[] {
  const newestFirst = [...new Set(sequences)].sort((a, b) => b - a);
  const [end = 0] = newestFirst;
  const kept = new Map<number, number>();
  // The last of each group that is seen is its oldest: it stays in its group for longest.
  for (const sequence of newestFirst.slice(NEWEST_KEPT)) {
    kept.set(Math.floor(Math.log2(end - sequence)), sequence);
  }
  const stays = new Set(kept.values());
  return newestFirst.slice(NEWEST_KEPT).filter((sequence) => !stays.has(sequence));
}
