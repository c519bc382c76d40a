import { STATE_PATH, type StateAnswer } from '@site/contract/state-path';

/** What a tab reads of the edge's answer. */
type EdgeState = Pick<StateAnswer, 'revoked'>;

export interface ReleaseWatchOptions {
  /** The release that this tab was started with. */
  release: string;
  /** Asks what became of a release. */
  fetchState(release: string): Promise<EdgeState>;
  /** Milliseconds since the document was asked for. */
  now(): number;
  /** False when the browser knows that nothing can be loaded: leaving would end on its error page. */
  isOnline(): boolean;
  /** Whether the document has just come from an edge: going back may show an old one out of the browser's cache. */
  isFresh: boolean;
}

type Outcome = 'answered' | 'failed' | 'late';

/** No navigation goes by an older answer. */
const INTERVAL_MS = 30_000;
/** A click that seems near has a younger one asked for, so that it finds one. */
const AHEAD_MS = 20_000;
/** After a question, answered or not, a hover asks again only after this time. */
const AGAIN_MS = 2_000;
/** A slow answer holds up a navigation for no longer than this. Then none waits for as long as an answer is good. */
const PATIENCE_MS = 1_000;
/** A later answer counts all the same, up to here. */
const TIMEOUT_MS = 5_000;

/** Tells whether a tab must leave the release that it was started with. */
export interface ReleaseWatch {
  /** To call at each navigation: true when it must leave this release. */
  isRevoked(): Promise<boolean>;
  /** A click seems near (a hover, a finger that comes down): the answer can be there before it. */
  ask(): void;
  /** The visitor has come back to the tab: nobody knows what happened meanwhile. */
  returned(): void;
}

/**
 * Lets an open tab leave a release that ops took back. The tab keeps the release it started with, whose files stay; only
 * when that release was revoked does the next navigation become a full page load: the next one that has a network.
 */
export function createReleaseWatch({
  release,
  fetchState,
  now,
  isOnline,
  isFresh,
}: ReleaseWatchOptions): ReleaseWatch {
  /** When the last question that was answered was asked: at first the document itself was. */
  let knownAt = isFresh ? 0 : -Infinity;
  let askedAt = -Infinity;
  let returnedAt = 0;
  /** When a question took too long. */
  let gaveUpAt = -Infinity;
  let revoked = false;
  let asking: Promise<Outcome> | undefined;

  function question(): Promise<Outcome> {
    const at = now();
    askedAt = at;
    const answer = fetchState(release)
      .then((state): Outcome => {
        revoked ||= state.revoked.includes(release);
        if (at >= returnedAt) knownAt = at;
        return 'answered';
      })
      // No answer, no reason to disturb the visitor.
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
        // One that was asked before the click, such as when the device woke, may have failed for want of a network.
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

/** Asks the edge that serves this page. */
export async function fetchEdgeState(release: string): Promise<EdgeState> {
  const response = await fetch(`${STATE_PATH}?release=${encodeURIComponent(release)}`, {
    cache: 'no-store',
    signal: AbortSignal.timeout(TIMEOUT_MS),
  });
  if (!response.ok) throw new Error(`${STATE_PATH} answered ${String(response.status)}.`);
  return (await response.json()) as EdgeState;
}
