/** `since`: the last live release that introduced it. */
export interface LiveSpan {
  version: string;
  since: number;
  proven: boolean;
}

/**
 * Best first: proven versions by most recent activation, then unproven ones. Having been live is no proof: after two
 * bad versions in a row, the first of them would be chosen.
 */
export function earlierVersions(live: string | null, history: readonly LiveSpan[]): string[] {
  return history
    .filter(({ version }) => version !== live)
    .sort((a, b) => Number(b.proven) - Number(a.proven) || b.since - a.since)
    .map(({ version }) => version);
}
