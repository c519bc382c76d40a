/** A version of one app, and the number of the live release that brought it last. */
export interface LiveSpan {
  version: string;
  since: number;
}

/**
 * What an app could be put back to, the best first: the version that was live most recently, and so on. Empty when
 * nothing else was ever live.
 */
export function earlierVersions(live: string, history: readonly LiveSpan[]): string[] {
  return history
    .filter(({ version }) => version !== live)
    .sort((a, b) => b.since - a.since)
    .map(({ version }) => version);
}
