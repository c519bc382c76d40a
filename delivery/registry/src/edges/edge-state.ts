import { silentSince } from '../kernel/silent-since.ts';

export const edgeStates = ['current', 'behind', 'silent'] as const;
type EdgeState = (typeof edgeStates)[number];

interface Shown {
  hasDiverged?: boolean;
  release: number | null;
  canary: { release: number } | null;
}

interface Wanted {
  live: { number: number } | null;
  canary: { number: number } | null;
}

/** Uses the registry's time; a client's may differ. */
export function isSilent({ seenAt }: { seenAt: Date }, now: Date): boolean {
  return seenAt <= silentSince(now);
}

/** Whether an edge serves anything but the live release and the canary. It may still be loading them. */
export function isBehind({ hasDiverged, release, canary }: Shown, { live, canary: wanted }: Wanted): boolean {
  return (
    hasDiverged ||
    release !== (live?.number ?? null) ||
    (canary?.release ?? null) !== (wanted?.number ?? null)
  );
}

export function edgeState(edge: Shown & { seenAt: Date }, wanted: Wanted, now: Date): EdgeState {
  if (isSilent(edge, now)) return 'silent';
  return isBehind(edge, wanted) ? 'behind' : 'current';
}
