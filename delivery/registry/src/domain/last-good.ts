/** A version of one app, and the number of the newest stable release that it was live in. */
export interface LiveSpan {
  version: string;
  lastRelease: number;
}

/**
 * The version to put back: the one that was live in the most recent earlier stable release with a different version
 * that is still usable (not quarantined, and fitting the shell). Null when there never was one.
 */
export function lastGoodVersion(
  live: string,
  history: readonly LiveSpan[],
  isUsable: (version: string) => boolean,
): string | null {
  const candidates = history
    .filter(({ version }) => version !== live)
    .sort((a, b) => b.lastRelease - a.lastRelease);
  return candidates.find(({ version }) => isUsable(version))?.version ?? null;
}
