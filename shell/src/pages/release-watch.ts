export interface ReleaseWatchOptions {
  /** Asks the edge whether the tab must leave its release. */
  fetchRevoked(): Promise<boolean>;
  /** Milliseconds since the document's request. */
  now(): number;
  /** False if the browser is offline: a full page load would end on its error page. */
  isOnline(): boolean;
  /** Whether the document has just come from an edge. The back button may show an old one from the browser's cache. */
  isFresh: boolean;
}

type Outcome = 'answered' | 'failed' | 'late';

const INTERVAL_MS = 30_000;
/** A likely click requests a new state if the known one is older. */
const AHEAD_MS = 20_000;
/** After a request, with or without an answer, a hover sends another one only after this time. */
const AGAIN_MS = 2_000;
/** Maximum wait of a navigation for a slow answer. After a timeout, navigations do not wait for the next interval. */
const PATIENCE_MS = 1_000;

export interface ReleaseWatch {
  isRevoked(): Promise<boolean>;
  ask(): void;
  /** The visitor has returned to the tab, so the known state is outdated. */
  returned(): void;
}

/**
 * Makes an open tab leave a revoked release. The tab keeps the release it started with, whose files remain available.
 * After a revocation the next navigation with a network connection becomes a full page load.
 */
export function createReleaseWatch({
  fetchRevoked,
  now,
  isOnline,
  isFresh,
}: ReleaseWatchOptions): ReleaseWatch {
  let knownAt = isFresh ? 0 : -Infinity;
  let askedAt = -Infinity;
  let returnedAt = 0;
  let gaveUpAt = -Infinity;
  let revoked = false;
  let asking: Promise<Outcome> | undefined;

  function question(): Promise<Outcome> {
    const at = now();
    askedAt = at;
    const answer = fetchRevoked()
      .then((isRevoked): Outcome => {
        revoked ||= isRevoked;
        if (at >= returnedAt) knownAt = at;
        return 'answered';
      })
      // Without an answer, do not disturb the visitor.
      .catch((): Outcome => 'failed');
    const late = new Promise<Outcome>((resolve) => setTimeout(() => resolve('late'), PATIENCE_MS));
    const outcome = Promise.race([answer, late]);
    asking = outcome;
    void outcome.then((how) => {
      if (how === 'late' && at >= returnedAt) gaveUpAt = now();
      if (asking === outcome) asking = undefined;
    });
    return outcome;
  }

  return {
    async isRevoked() {
      if (!isOnline()) return false;
      if (!revoked && now() - knownAt >= INTERVAL_MS && now() - gaveUpAt >= INTERVAL_MS) {
        const before = asking;
        const outcome = await (before ?? question());
        // A request from before the click, for example on wake-up, may have failed because of a missing network.
        if (before && outcome === 'failed') await question();
      }
      return revoked;
    },
    ask() {
      if (revoked || asking || !isOnline()) return;
      if (now() - knownAt >= AHEAD_MS && now() - askedAt >= AGAIN_MS) void question();
    },
    returned() {
      knownAt = -Infinity;
      gaveUpAt = -Infinity;
      asking = undefined;
      returnedAt = now();
      if (!revoked && isOnline()) void question();
    },
  };
}
