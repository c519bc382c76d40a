/** A version of one app, and the number of the newest stable release that it was live in. */
export interface LiveSpan {
  version: string;
  lastRelease: number;
}

/**
 * What an app could be put back to, the best first: the version that was live most recently, and so on. Empty when
 * nothing else was ever live.
 */
export function earlierVersions(live: string, history: readonly LiveSpan[]): string[] {
  return history
    .filter(({ version }) => version !== live)
    .sort((a, b) => b.lastRelease - a.lastRelease)
    .map(({ version }) => version);
}
