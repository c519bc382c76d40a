/** Longer than an edge needs to load a release, and than a restart of either side takes. */
export const EDGE_PATIENCE_MS = 30_000;

/** Whether an edge serves the live release, serves another one, or has not been heard of for a while. */
export const edgeStates = ['current', 'behind', 'silent'] as const;
type EdgeState = (typeof edgeStates)[number];

/** @param live the number of the live release; null when there is none. */
export function edgeState(
  { release, seenAt }: { release: number | null; seenAt: Date },
  live: number | null,
  at: Date,
): EdgeState {
  if (at.getTime() - seenAt.getTime() >= EDGE_PATIENCE_MS) return 'silent';
  return live === null || release === live ? 'current' : 'behind';
}
