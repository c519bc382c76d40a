import { setImmediate as nextTurn } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import {
  changesEveryPage,
  mustLeave,
  pageSets,
  releaseNumber,
  setId,
  type CanaryShare,
  type ChannelState,
  type ReleaseDocument,
} from '@site/contract';
import { releaseTraceparent, startSpan } from '@site/contract/tracing';
import type { BlobReader } from '../files/load-blob.ts';
import type { LoadedRelease } from './loaded-release.ts';
import { loadRelease } from './load-release.ts';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';
import type { EdgeMetrics } from '../telemetry/metrics.ts';
import type { ReleaseCache, Remembered } from './release-cache.ts';
import { composeDocument, isSameSet, type LoadedSet, type VisitorSets } from './visitor-sets.ts';

export interface ReleaseKeeper extends VisitorSets {
  /** Of the live release or a canary with this id. */
  digest(id: string): string | undefined;
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
  /** @param set see `setId`. @param known a local document, to request only the differences. */
  fetchDocument(set: string, known: ReleaseDocument | null, signal: AbortSignal): Promise<ReleaseDocument>;
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
/** Visitors see few canaries at once, so few of the possible sets are composed. */
const MAX_COMPOSED = 100;

export function createReleaseKeeper(options: KeeperOptions): ReleaseKeeper {
  const { store, cache, fetchDocument, onSuperseded, onChange, log, metrics, signal } = options;
  let live: LoadedRelease | null = null;
  let canaries: readonly CanaryShare[] = [];
  let sets: readonly LoadedSet[] = [];
  let recent: ReleaseDocument[] = [];
  let channelState: ChannelState | null = null;
  let wanted: ChannelState | null = null;
  let workingOn: ChannelState | null = null;
  let working: Promise<void> | null = null;
  let loading: { set: string; giveUp: AbortController } | null = null;
  const composed = new LRUCache<string, Promise<LoadedRelease>>({ max: MAX_COMPOSED });
  const reported = new Map<string, string>();

  const shown = () => [...(live ? [live] : []), ...sets.map(({ release }) => release)];

  function retire(release: LoadedRelease): void {
    const served = [release.document, ...recent.filter((document) => setId(document) !== release.id)];
    recent = served.slice(0, REMEMBERED_RELEASES);
    onSuperseded(release);
  }

  /** Replaces all in one step: during a promotion, the canary's visitors must not see the old live release. */
  function serve(next: {
    live?: LoadedRelease;
    canaries?: readonly CanaryShare[];
    sets?: readonly LoadedSet[];
  }): void {
    const replaced = shown();
    const knownCanaries = JSON.stringify(canaries);
    if (next.live) live = next.live;
    canaries = next.canaries ?? canaries;
    sets = (next.sets ?? sets).filter((set) =>
      set.canaries.every(({ release }) => canaries.some((canary) => canary.release === release)),
    );
    const after = shown();
    const gone = replaced.filter((release) => !after.includes(release));
    const isChanged = gone.length > 0 || replaced.length !== after.length;
    gone.forEach(retire);
    recent = recent.filter((document) => !after.some(({ id }) => id === setId(document)));
    if (isChanged) composed.clear();
    if (next.live) metrics.releaseSwapped(next.live.id);
    metrics.canariesAre(canaries);
    if (isChanged || knownCanaries !== JSON.stringify(canaries)) onChange();
  }

  /** Not only by number: after a loss of entries a number can be issued again. */
  const isServedAs = (release: LoadedRelease | null | undefined, id: string | null, state: ChannelState) =>
    release != null &&
    release.document.release.id === id &&
    isSameDigest(release.document.digest, state.digests?.[id]);

  async function load(set: string, known: ReleaseDocument | null): Promise<LoadedRelease | null> {
    const giveUp = new AbortController();
    loading = { set, giveUp };
    const [, ...ofCanary] = set.split('.');
    const role = ofCanary.join(' ') || 'live';
    const startTime = Date.now();
    try {
      const next = await loadRelease(
        await fetchDocument(set, known, giveUp.signal),
        unlessAborted(store, giveUp.signal),
        { known: shown() },
      );
      if (giveUp.signal.aborted) return null;
      startSpan({
        name: 'load release',
        parent: releaseTraceparent(next.document.release),
        startTime,
        isRare: true,
        attributes: { 'site.release': set, 'site.role': role },
      })?.end();
      log.info(
        { release: set, role, pages: next.pages.size, files: next.assets.size },
        'serving a new release',
      );
      reported.delete(role);
      return next;
    } catch (error) {
      if (signal.aborted || giveUp.signal.aborted) return null;
      metrics.releaseRefused();
      const problem = errorMessage(error);
      if (`${set} ${problem}` !== reported.get(role)) {
        log.error({ release: set, role, serving: live?.id ?? null, problem }, 'cannot serve the release');
      }
      reported.set(role, `${set} ${problem}`);
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
    if (loading && mustLeave(state, loading.set)) loading.giveUp.abort();
    const isPromoted = ({ release }: CanaryShare) =>
      state.live !== live?.document.release.id && !state.revoked.includes(release);
    serve({
      canaries: canaries.flatMap((canary) => {
        const running = state.canaries.find(({ release }) => release === canary.release);
        if (running)
          return isSameDigest(digests.get(canary.release), state.digests?.[canary.release]) ? [running] : [];
        // If a promotion cannot be loaded yet, the canary's visitors stay: the old live release would be a step back.
        return isPromoted(canary) ? [canary] : [];
      }),
      sets: sets.filter(({ release }) => !mustLeave(state, release.id)),
    });
  }

  async function goTo(state: ChannelState): Promise<void> {
    const target = state.live;
    const next =
      target !== null && !isServedAs(live, target, state) ? await load(target, live?.document ?? null) : null;
    // Aborted or unavailable: continue with the newer target.
    if (!next && wanted) return;
    const isRunning = ({ release }: CanaryShare) =>
      state.canaries.some((canary) => canary.release === release);
    const isThere = isServedAs(next ?? live, target, state);
    serve({ ...(next ? { live: next } : {}), ...(isThere ? { canaries: canaries.filter(isRunning) } : {}) });
    if (isThere && live) await loadCanaries(state, live);
    if (signal.aborted || !live) return;
    // Visitors and pending activations take precedence over the disk.
    await nextTurn();
    await remember(state, live);
  }

  const digests = new Map<string, string | undefined>();

  /** One after another, the oldest first: a canary is served once all sets with it and older ones are loaded. */
  async function loadCanaries(state: ChannelState, base: LoadedRelease): Promise<void> {
    const accepted: CanaryShare[] = [];
    for (const canary of state.canaries) {
      const digest = state.digests?.[canary.release];
      const isKnown = isSameDigest(digests.get(canary.release), digest);
      const added: LoadedSet[] = [];
      const needed = pageSets([...accepted, canary]).filter((set) => set.includes(canary));
      for (const set of needed) {
        const before = isKnown
          ? sets.find((one) => isSameSet(one.canaries, inOrder(set)))?.release
          : undefined;
        const loaded = await loadSet(base, inOrder(set), before);
        if (signal.aborted || wanted) return;
        if (loaded) added.push({ canaries: inOrder(set), release: loaded });
      }
      if (added.length < needed.length) continue;
      accepted.push(canary);
      digests.set(canary.release, digest);
      const isReplaced = (set: LoadedSet) => added.some((other) => isSameSet(set.canaries, other.canaries));
      const others = canaries.filter(({ release }) => release !== canary.release);
      serve({
        canaries: inOrder([...others, canary]),
        sets: [...sets.filter((set) => !isReplaced(set)), ...added],
      });
    }
    serve({ canaries: accepted });
    for (const id of digests.keys()) if (!canaries.some(({ release }) => release === id)) digests.delete(id);
  }

  /** @param before the same set over an earlier live release, or with pages that were not rendered then. */
  async function loadSet(
    base: LoadedRelease,
    set: readonly CanaryShare[],
    before: LoadedRelease | undefined,
  ): Promise<LoadedRelease | null> {
    const id = setId({ ...base.document, canaries: set.map(({ release }) => release) });
    const isComplete = [...(before?.pages.values() ?? [])].every(({ isRendered }) => isRendered);
    if (before?.id === id && isComplete) return before;
    return (await load(id, base.document)) ?? (before?.id === id ? before : null);
  }

  async function compose(seen: readonly CanaryShare[], base: LoadedRelease): Promise<LoadedRelease> {
    const frame = seen.filter(changesEveryPage);
    const documentOf = (set: readonly CanaryShare[]) =>
      sets.find((one) => isSameSet(one.canaries, inOrder(set)))?.release.document;
    const remotes = seen
      .filter((canary) => !changesEveryPage(canary))
      .flatMap((canary) => {
        const document = documentOf([...frame, canary]);
        return document ? [{ canary, document }] : [];
      });
    try {
      return await loadRelease(composeDocument(documentOf(frame) ?? base.document, remotes), store, {
        known: shown(),
      });
    } catch (error) {
      log.error(
        { release: base.id, canaries: seen.map(({ release }) => release), problem: errorMessage(error) },
        'cannot compose the set of a visitor',
      );
      return base;
    }
  }

  let remembered = '';
  let onDisk: ReleaseDocument[] = [];
  async function remember(state: ChannelState, release: LoadedRelease): Promise<void> {
    const key = JSON.stringify([state, ...shown().map(({ id }) => id)]);
    if (key === remembered) return;
    const next = { state, live: release.document, canaries: sets.map((set) => set.release.document), recent };
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
      workingOn = state;
      // Applies its statements about a canary that was loaded in the meantime.
      applyAtOnce(state);
      await goTo(state);
    }
  }

  async function restoreCanaries(state: ChannelState, documents: readonly ReleaseDocument[]): Promise<void> {
    const restored: LoadedSet[] = [];
    for (const document of documents) {
      const ids = document.canaries ?? [];
      const own = state.canaries.filter(({ release }) => ids.includes(release));
      if (own.length < ids.length || document.release.id !== live?.id) continue;
      try {
        restored.push({ canaries: own, release: await loadRelease(document, store, { known: shown() }) });
      } catch (error) {
        log.warn({ problem: errorMessage(error) }, 'cannot serve a canary remembered on disk');
      }
    }
    const isThere = (canary: CanaryShare) => restored.some((set) => isSameSet(set.canaries, [canary]));
    for (const { release } of state.canaries) digests.set(release, state.digests?.[release]);
    serve({ canaries: state.canaries.filter(isThere), sets: restored });
  }

  return {
    live: () => live,
    canaries: () => canaries,
    sets: () => sets,
    composed(seen) {
      const loaded = sets.find((set) => isSameSet(set.canaries, seen))?.release;
      if (loaded || !live) return loaded ?? Promise.reject(new Error('There is no live release.'));
      if (seen.length === 0) return live;
      const key = seen.map(({ release }) => release).join('.');
      const known = composed.get(key);
      if (known) return known;
      const made = compose(seen, live);
      composed.set(key, made);
      return made;
    },
    digest: (id) => (id === live?.id ? live.document.digest : digests.get(id)),
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
        await restoreCanaries(kept.state, kept.canaries);
        log.info({ release: release.id }, 'serving the release remembered on disk');
      } catch (error) {
        log.warn({ problem: errorMessage(error) }, 'cannot serve the release remembered on disk');
      }
    },
    moveTo(state) {
      applyAtOnce(state);
      // A poll without news must not restart the loading of canaries.
      wanted = working && workingOn && hasSameReleases(state, workingOn) ? null : state;
      working ??= work().finally(() => (working = null));
    },
    async settled() {
      while (working) await working;
    },
  };
}

function servedDocuments({ live, canaries }: Remembered): ReleaseDocument[] {
  return [live, ...canaries];
}

/** Oldest first, as in the channel's state. */
const inOrder = (canaries: readonly CanaryShare[]) =>
  canaries.toSorted((one, other) => releaseNumber(one.release) - releaseNumber(other.release));

const hasSameReleases = (one: ChannelState, other: ChannelState) =>
  JSON.stringify([one.live, one.canaries, one.digests]) ===
  JSON.stringify([other.live, other.canaries, other.digests]);

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
