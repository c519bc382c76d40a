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
  /** Milliseconds, from any fixed point. */
  now(): number;
  /** False when the browser knows that nothing can be loaded: leaving would end on its error page. */
  isOnline(): boolean;
}

/** A tab asks at most this often. */
const INTERVAL_MS = 30_000;
/** A slow answer never holds up a navigation for longer than this. */
const PATIENCE_MS = 1_000;

/**
 * Lets an open tab leave a release that ops took back. The tab keeps the release it started with, whose files stay; only
 * when that release was revoked does the next navigation become a full page load: the next one that has a network.
 *
 * @returns a function to call at each navigation: true when the navigation must leave this release.
 */
export function createReleaseWatch({
  release,
  fetchState,
  now,
  isOnline,
}: ReleaseWatchOptions): () => Promise<boolean> {
  let askedAt = now();
  let revoked = false;
  return async function isRevoked() {
    if (!isOnline()) return false;
    if (revoked || now() - askedAt < INTERVAL_MS) return revoked;
    askedAt = now();
    const asked = fetchState(release).then(
      (state) => (revoked = state.revoked.includes(release)),
      () => false, // no answer, no reason to disturb the visitor
    );
    const patience = new Promise<boolean>((resolve) => setTimeout(() => resolve(false), PATIENCE_MS));
    return Promise.race([asked, patience]);
  };
}

/** Asks the edge that serves this page. */
export async function fetchEdgeState(release: string): Promise<EdgeState> {
  const response = await fetch(`/__site/state?release=${encodeURIComponent(release)}`, { cache: 'no-store' });
  if (!response.ok) throw new Error(`/__site/state answered ${String(response.status)}.`);
  return (await response.json()) as EdgeState;
}
