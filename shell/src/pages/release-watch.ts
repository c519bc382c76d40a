/** What the edge answers at `/__site/state`. */
interface EdgeState {
  release: string;
  /** The release that was asked about, when it is to be left. */
  revoked: string[];
}

export interface ReleaseWatchOptions {
  /** The release that this tab was started with. */
  release: string;
  /** Asks what became of a release. */
  fetchState(release: string): Promise<EdgeState>;
  /** Milliseconds since the document was asked for. */
  now(): number;
  /** False when the browser knows that nothing can be loaded: leaving would end on its error page. */
  isOnline(): boolean;
}

/** No navigation goes by an older answer. */
const INTERVAL_MS = 30_000;
/** A click that seems near has a younger one asked for, so that it finds one. */
const AHEAD_MS = 20_000;
/** A slow answer never holds up a navigation for longer than this. */
const PATIENCE_MS = 1_000;

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
}: ReleaseWatchOptions): ReleaseWatch {
  /** When the last question that was answered was asked: at first the document itself was. */
  let knownAt = 0;
  let returnedAt = 0;
  let revoked = false;
  /** A question on its way, until it is answered, fails or takes too long. */
  let asking: Promise<void> | undefined;

  function ask(): void {
    if (revoked || !isOnline()) return;
    const askedAt = now();
    const answer = fetchState(release).then(
      (state) => {
        revoked ||= state.revoked.includes(release);
        if (askedAt >= returnedAt) knownAt = askedAt;
      },
      () => undefined, // no answer, no reason to disturb the visitor
    );
    const patience = new Promise<void>((resolve) => setTimeout(resolve, PATIENCE_MS));
    const mine = Promise.race([answer, patience]).then(() => {
      if (asking === mine) asking = undefined;
    });
    asking = mine;
  }

  return {
    async isRevoked() {
      if (!isOnline()) return false;
      if (now() - knownAt >= INTERVAL_MS) {
        if (!asking) ask();
        await asking;
      }
      return revoked;
    },
    ask() {
      if (!asking && now() - knownAt >= AHEAD_MS) ask();
    },
    returned() {
      knownAt = -Infinity;
      returnedAt = now();
      ask();
    },
  };
}

/** Asks the edge that serves this page. */
export async function fetchEdgeState(release: string): Promise<EdgeState> {
  const response = await fetch(`/__site/state?release=${encodeURIComponent(release)}`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`/__site/state answered ${String(response.status)}.`);
  return (await response.json()) as EdgeState;
}
