import type { ChannelState, ReleaseDocument } from '@site/contract';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { loadRelease, type LiveRelease } from './load-release.ts';
import { messageOf, type EdgeLog } from './log.ts';
import type { EdgeMetrics } from './metrics.ts';
import type { ReleaseCache } from './release-cache.ts';

/** Which release this edge serves, and how it gets to the next one. */
export interface ReleaseKeeper {
  current(): LiveRelease | null;
  /** Releases that open tabs must leave. */
  revoked(): string[];
  /** Documents of releases served before, newest first. */
  recent(): ReleaseDocument[];
  /** Serves what the disk remembers, if it can. */
  restore(): Promise<void>;
  /** Goes where the channel points now. When the new release cannot be loaded the old one stays. */
  moveTo(state: ChannelState): void;
  /** Resolves when every `moveTo` so far has been dealt with. */
  settled(): Promise<void>;
}

export interface KeeperOptions {
  store: ArtifactStore;
  cache: ReleaseCache;
  fetchDocument(id: string): Promise<ReleaseDocument>;
  /** Called after each swap, with the release served before. */
  onSwap(release: LiveRelease, previous: LiveRelease | null): void;
  log: EdgeLog;
  metrics: EdgeMetrics;
  /** Aborted when the edge closes. */
  signal: AbortSignal;
}

const rememberedReleases = 5;

export function createReleaseKeeper(options: KeeperOptions): ReleaseKeeper {
  const { store, cache, fetchDocument, onSwap, log, metrics, signal } = options;
  let current: LiveRelease | null = null;
  let recent: ReleaseDocument[] = [];
  let revoked: string[] = [];
  let wanted: ChannelState | null = null;
  let working: Promise<void> | null = null;
  /** So that a release that cannot be loaded is reported once, not at every poll. */
  let reported = '';

  function swapTo(next: LiveRelease): void {
    if (current) {
      const served = [current.document, ...recent].filter(({ release }) => release.id !== next.id);
      recent = served.slice(0, rememberedReleases);
    }
    const previous = current;
    current = next;
    metrics.releaseSwapped(next.id);
    onSwap(next, previous);
  }

  async function goTo(state: ChannelState): Promise<void> {
    const revokedBefore = revoked.join();
    // What is revoked holds even when the release to go to cannot be loaded.
    revoked = state.revoked;
    const target = state.stable;
    const mustSwap = target !== null && target !== current?.id;
    if (mustSwap) {
      try {
        const next = await loadRelease(await fetchDocument(target), store, current);
        swapTo(next);
        log.info(
          { release: target, pages: next.pages.size, files: next.assets.size },
          'serving a new release',
        );
        reported = '';
      } catch (error) {
        if (signal.aborted) return;
        metrics.releaseRefused();
        const problem = messageOf(error);
        if (problem !== reported) {
          log.error({ release: target, serving: current?.id ?? null, problem }, 'cannot serve the release');
        }
        reported = problem;
      }
    }
    if (current && (current.id === target || revoked.join() !== revokedBefore))
      await remember(state, current);
  }

  let remembered = '';
  async function remember(state: ChannelState, live: LiveRelease): Promise<void> {
    const key = JSON.stringify([state, live.id]);
    if (key === remembered) return;
    try {
      await cache.write({ state, current: live.document, recent });
      remembered = key;
    } catch (error) {
      log.warn({ release: live.id, problem: messageOf(error) }, 'cannot remember the release on disk');
    }
  }

  async function work(): Promise<void> {
    while (wanted) {
      const state = wanted;
      wanted = null;
      await goTo(state);
    }
  }

  return {
    current: () => current,
    revoked: () => revoked,
    recent: () => recent,
    async restore() {
      try {
        const kept = await cache.read();
        if (!kept) return;
        const live = await loadRelease(kept.current, store);
        recent = kept.recent;
        revoked = kept.state.revoked;
        swapTo(live);
        log.info({ release: live.id }, 'serving the release remembered on disk');
      } catch (error) {
        log.warn({ problem: messageOf(error) }, 'cannot serve the release remembered on disk');
      }
    },
    moveTo(state) {
      wanted = state;
      working ??= work().finally(() => (working = null));
    },
    async settled() {
      while (working) await working;
    },
  };
}
