/** Edges report every five seconds. One that was silent for this long no longer counts. */
const EDGE_LIVES_MS = 15_000;

export const silentSince = (now: Date): Date => new Date(now.getTime() - EDGE_LIVES_MS);
