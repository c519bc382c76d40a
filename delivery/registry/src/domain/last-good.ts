/** A version of one app, and the number of the live release that brought it last. */
export interface LiveSpan {
  version: string;
  since: number;
  /** Whether enough visitors had it without a bad verdict: see `version_standings`. */
  proven: boolean;
}

/**
 * What an app could be put back to, the best first: the version that was live most recently of those that are proven to be
 * good, and so on; then the others, for "was live before" is not proof: of two bad versions in a row it is the first. Empty
 * when nothing else was ever live.
 */
export function earlierVersions(live: string | null, history: readonly LiveSpan[]): string[] {
  return history
    .filter(({ version }) => version !== live)
    .sort((a, b) => Number(b.proven) - Number(a.proven) || b.since - a.since)
    .map(({ version }) => version);
}
