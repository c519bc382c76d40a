/** An edge reports every five seconds; one that was silent for this long is not waited for. */
const EDGE_LIVES_MS = 15_000;

/** Whether an edge shows what its channel shows, shows something else, or has not been heard from for a while. */
export const edgeStates = ['current', 'behind', 'silent'] as const;
type EdgeState = (typeof edgeStates)[number];

/** What an edge said it shows, by the numbers of the releases. */
interface Shown {
  release: number | null;
  canary: { release: number } | null;
}

/** What a channel shows. */
interface Wanted {
  live: { number: number } | null;
  canary: { number: number } | null;
}

/** An edge that has not been heard from since this moment is silent. */
export const silentSince = (now: Date): Date => new Date(now.getTime() - EDGE_LIVES_MS);

/** Judged by the registry's clock: a reader's may differ. */
export function isSilent({ seenAt }: { seenAt: Date }, now: Date): boolean {
  return seenAt <= silentSince(now);
}

/** Whether an edge shows anything but the live release and the canary. It may still be loading them. */
export function isBehind({ release, canary }: Shown, { live, canary: wanted }: Wanted): boolean {
  return release !== (live?.number ?? null) || (canary?.release ?? null) !== (wanted?.number ?? null);
}

export function edgeState(edge: Shown & { seenAt: Date }, wanted: Wanted, now: Date): EdgeState {
  if (isSilent(edge, now)) return 'silent';
  return isBehind(edge, wanted) ? 'behind' : 'current';
}
