import { setImmediate as nextTurn } from 'node:timers/promises';
import { mustLeave, type ChannelState, type ReleaseDocument } from '@site/contract';
import { releaseTraceparent, startSpan } from '@site/contract/tracing';
import type { LoadedCanary } from './bucket.ts';
import type { BlobReader } from '../files/load-blob.ts';
import type { LoadedRelease } from './loaded-release.ts';
import { loadRelease } from './load-release.ts';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';
import type { EdgeMetrics } from '../telemetry/metrics.ts';
import type { ReleaseCache, Remembered } from './release-cache.ts';

export interface ReleaseKeeper {
  live(): LoadedRelease | null;
  canary(): LoadedCanary | null;
  channelState(): ChannelState | null;
  recent(): ReleaseDocument[];
  /** From disk, if possible. */
  restore(): Promise<void>;
  /** If a new release cannot be loaded, the old one stays. */
  moveTo(state: ChannelState): void;
  settled(): Promise<void>;
}

export interface KeeperOptions {
  store: BlobReader;
  cache: ReleaseCache;
  /** @param known a local document, to request only the differences. */
  fetchDocument(id: string, known: ReleaseDocument | null, signal: AbortSignal): Promise<ReleaseDocument>;
  onSuperseded(release: LoadedRelease): void;
  onChange(): void;
  /** Before a release is stored on disk. @returns whether its blobs are on this machine's disk. */
  beforeRemembered(): Promise<boolean>;
  keepOnly(documents: ReleaseDocument[]): Promise<void>;
  log: EdgeLog;
  metrics: EdgeMetrics;
  signal: AbortSignal;
}

const REMEMBERED_RELEASES = 5;

export function createReleaseKeeper(options: KeeperOptions): ReleaseKeeper {
  const { store, cache, fetchDocument, onSuperseded, onChange, log, metrics, signal } = options;
  let live: LoadedRelease | null = null;
  let canary: LoadedCanary | null = null;
  let recent: ReleaseDocument[] = [];
  let channelState: ChannelState | null = null;
  let wanted: ChannelState | null = null;
  let working: Promise<void> | null = null;
  let loading: { id: string; giveUp: AbortController } | null = null;
  const reported = new Map<string, string>();

  function retire(release: LoadedRelease | undefined): void {
    if (!release) return;
    const served = [release.document, ...recent.filter((document) => document.release.id !== release.id)];
    recent = served.slice(0, REMEMBERED_RELEASES);
    onSuperseded(release);
  }

  /** Replaces both in one step: during a promotion, the canary's visitors must not see the old live release. */
  function serve(next: { live?: LoadedRelease; canary?: LoadedCanary | null }): void {
    const before = [live, canary?.release];
    const shareBefore = canary?.share;
    if (next.live) live = next.live;
    if (next.canary !== undefined) canary = next.canary;
    const after = [live, canary?.release];
    for (const release of new Set(before)) if (release && !after.includes(release)) retire(release);
    recent = recent.filter(({ release }) => !after.some((served) => served?.id === release.id));
    if (next.live) metrics.releaseSwapped(next.live.id);
    metrics.canaryIs(canary ? { release: canary.release.id, share: canary.share } : null);
    if (before.some((release, index) => release !== after[index]) || shareBefore !== canary?.share)
      onChange();
  }

  /** Not only by number: after a loss of entries a number can be issued again. */
  const isServedAs = (release: LoadedRelease | null | undefined, id: string | null, state: ChannelState) =>
    release != null && release.id === id && isSameDigest(release.document.digest, state.digests?.[id]);

  async function load(id: string, role: 'live' | 'canary'): Promise<LoadedRelease | null> {
    const giveUp = new AbortController();
    loading = { id, giveUp };
    const startTime = Date.now();
    try {
      const known = [live, canary?.release].filter((release) => release != null);
      const next = await loadRelease(
        await fetchDocument(id, known[0]?.document ?? null, giveUp.signal),
        unlessAborted(store, giveUp.signal),
        { known },
      );
      if (giveUp.signal.aborted) return null;
      startSpan({
        name: 'load release',
        parent: releaseTraceparent(next.document.release),
        startTime,
        isRare: true,
        attributes: { 'site.release': id, 'site.role': role },
      })?.end();
      log.info(
        { release: id, role, pages: next.pages.size, files: next.assets.size },
        'serving a new release',
      );
      reported.delete(role);
      return next;
    } catch (error) {
      if (signal.aborted || giveUp.signal.aborted) return null;
      metrics.releaseRefused();
      const problem = errorMessage(error);
      if (`${id} ${problem}` !== reported.get(role)) {
        log.error({ release: id, role, serving: live?.id ?? null, problem }, 'cannot serve the release');
      }
      reported.set(role, `${id} ${problem}`);
      return null;
    } finally {
      loading = null;
    }
  }

  /** Even if nothing can be loaded. */
  function applyAtOnce(state: ChannelState): void {
    channelState = state;
    // A rollback aborts loading the release that it removes. A release that is only outdated continues to load:
    // otherwise an edge whose loads take longer than the time between activations would never advance.
    if (loading && mustLeave(state, loading.id)) loading.giveUp.abort();
    if (!canary) return;
    if (mustLeave(state, canary.release.id)) serve({ canary: null });
    else if (state.canary && isServedAs(canary.release, state.canary.release, state))
      serve({ canary: { release: canary.release, share: state.canary.share } });
    else if (!state.canary && state.live === live?.id) serve({ canary: null });
  }

  async function goTo(state: ChannelState): Promise<void> {
    const target = state.live;
    const next = target !== null && !isServedAs(live, target, state) ? await load(target, 'live') : null;
    // Aborted or unavailable: continue with the newer target.
    if (!next && wanted) return;
    // If a promotion cannot be loaded yet, the canary's visitors stay: the old live release would be a step back.
    // Revoked releases are already gone.
    const isThere = isServedAs(next ?? live, target, state);
    serve({
      ...(next ? { live: next } : {}),
      ...(isThere && !state.canary ? { canary: null } : {}),
    });
    if (state.canary && !isServedAs(canary?.release, state.canary.release, state)) {
      const { release, share } = state.canary;
      // A canary that is replaced (the same changes over another live release) stays until its successor is loaded.
      const loaded = isServedAs(live, release, state) ? null : await load(release, 'canary');
      if (!signal.aborted)
        serve({
          canary: loaded && !mustLeave(channelState ?? state, release) ? { release: loaded, share } : null,
        });
    }
    if (signal.aborted || !live) return;
    // Visitors and pending activations take precedence over the disk.
    await nextTurn();
    await remember(state, live);
  }

  let remembered = '';
  let onDisk: ReleaseDocument[] = [];
  async function remember(state: ChannelState, release: LoadedRelease): Promise<void> {
    const key = JSON.stringify([state, release.id, canary?.release.id]);
    if (key === remembered) return;
    const next = { state, live: release.document, canary: canary?.release.document ?? null, recent };
    try {
      if (!(await tryWrite(next))) {
        // The disk may be full. Previous releases can be dropped, because their files are in the store.
        await options.keepOnly([...servedDocuments(next), ...onDisk]);
        // Even with missing files: a restart must know what is live now and what is revoked.
        await cache.write(next);
      }
      remembered = key;
      onDisk = servedDocuments(next);
      await options.keepOnly([...onDisk, ...next.recent]);
      metrics.cacheIsIncomplete(!(await options.beforeRemembered()));
    } catch (error) {
      metrics.cacheIsIncomplete(true);
      log.warn({ release: release.id, problem: errorMessage(error) }, 'cannot remember the release on disk');
    }
  }

  async function tryWrite(next: Remembered): Promise<boolean> {
    if (!(await options.beforeRemembered())) return false;
    return cache.write(next).then(
      () => true,
      () => false,
    );
  }

  async function work(): Promise<void> {
    while (wanted) {
      const state = wanted;
      wanted = null;
      // Applies its statements about a canary that was loaded in the meantime.
      applyAtOnce(state);
      await goTo(state);
    }
  }

  async function restoreCanary(state: ChannelState, document: ReleaseDocument | null): Promise<void> {
    if (!document || state.canary?.release !== document.release.id || !live) return;
    try {
      const release = await loadRelease(document, store, { known: [live] });
      serve({ canary: { release, share: state.canary.share } });
    } catch (error) {
      log.warn({ problem: errorMessage(error) }, 'cannot serve the canary remembered on disk');
    }
  }

  return {
    live: () => live,
    canary: () => canary,
    channelState: () => channelState,
    recent: () => recent,
    async restore() {
      try {
        const kept = await cache.read();
        if (!kept) return;
        onDisk = servedDocuments(kept);
        const release = await loadRelease(kept.live, store);
        recent = kept.recent;
        channelState = kept.state;
        serve({ live: release });
        await restoreCanary(kept.state, kept.canary);
        log.info({ release: release.id }, 'serving the release remembered on disk');
      } catch (error) {
        log.warn({ problem: errorMessage(error) }, 'cannot serve the release remembered on disk');
      }
    },
    moveTo(state) {
      applyAtOnce(state);
      wanted = state;
      working ??= work().finally(() => (working = null));
    },
    async settled() {
      while (working) await working;
    },
  };
}

function servedDocuments({ live, canary }: Remembered): ReleaseDocument[] {
  return canary ? [live, canary] : [live];
}

const isSameDigest = (one: string | undefined, other: string | undefined) =>
  one === undefined || other === undefined || one === other;

/** Rejects reads on abort, even if the store does not respond. */
function unlessAborted(store: BlobReader, signal: AbortSignal): BlobReader {
  function read<T>(begin: () => Promise<T>): Promise<T> {
    return new Promise((resolve, reject) => {
      signal.throwIfAborted();
      const giveUp = () => reject(signal.reason as Error);
      signal.addEventListener('abort', giveUp);
      begin()
        .then(resolve, reject)
        .finally(() => signal.removeEventListener('abort', giveUp));
    });
  }
  return {
    get: (integrity) => read(() => store.get(integrity)),
    getEncoded: (integrity, encoding) => read(() => store.getEncoded(integrity, encoding)),
  };
}
