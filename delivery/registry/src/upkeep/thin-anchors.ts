/** The newest anchors, which are all kept. */
export const NEWEST_KEPT = 64;

/**
 * Selects the anchors of one epoch to delete, so that their number grows only with the logarithm of the log's length.
 * The newest anchor covers all entries before it; older ones help to locate a manipulation.
 *
 * @param sequences of the existing anchors.
 * @returns all but the newest, and the oldest that is 2ⁿ to 2ⁿ⁺¹ entries behind the end.
 */
export function thinnedOut(sequences: readonly number[]): number[] {
  const newestFirst = [...new Set(sequences)].sort((a, b) => b - a);
  const [end = 0] = newestFirst;
  const kept = new Map<number, number>();
  // The last one in each group is the oldest, which stays in its group longest.
  for (const sequence of newestFirst.slice(NEWEST_KEPT)) {
    kept.set(Math.floor(Math.log2(end - sequence)), sequence);
  }
  const stays = new Set(kept.values());
  return newestFirst.slice(NEWEST_KEPT).filter((sequence) => !stays.has(sequence));
}
