import { silentSince } from '../kernel/silent-since.ts';

export const edgeStates = ['current', 'behind', 'silent'] as const;
type EdgeState = (typeof edgeStates)[number];

interface Shown {
  hasDiverged?: boolean;
  release: number | null;
  canaries: readonly { release: number }[];
}

interface Wanted {
  live: { number: number } | null;
  canaries: readonly { number: number }[];
}

/** Uses the registry's time; a client's may differ. */
export function isSilent({ seenAt }: { seenAt: Date }, now: Date): boolean {
  return seenAt <= silentSince(now);
}

/** Whether an edge serves anything but the live release and the canaries. It may still be loading them. */
export function isBehind(
  { hasDiverged, release, canaries }: Shown,
  { live, canaries: wanted }: Wanted,
): boolean {
  return (
    hasDiverged ||
    release !== (live?.number ?? null) ||
    canaries.map((canary) => canary.release).join() !== wanted.map(({ number }) => number).join()
  );
}

export function edgeState(edge: Shown & { seenAt: Date }, wanted: Wanted, now: Date): EdgeState {
  if (isSilent(edge, now)) return 'silent';
  return isBehind(edge, wanted) ? 'behind' : 'current';
}
