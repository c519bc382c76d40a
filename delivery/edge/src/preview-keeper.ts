import type { PreviewClaims, ReleaseDocument } from '@site/contract';
import type { Asset, LiveRelease } from './load-release.ts';
import { messageOf, type EdgeLog } from './log.ts';

/** What the registry says of a preview: what it consists of, or that there is none (any more). */
export type PreviewAnswer = { document: ReleaseDocument } | { over: true };

export type PreviewView = { live: LiveRelease } | { problem: 'over' | 'unavailable' };

/** The releases that preview links show: the live one with one version exchanged. */
export interface PreviewKeeper {
  /** The preview of a link that was checked. Never rejects. */
  view(claims: PreviewClaims): Promise<PreviewView>;
  /** A file of a preview that is in memory. By URL path. */
  asset(url: string): Asset | undefined;
}

export interface PreviewKeeperOptions {
  ask(id: string): Promise<PreviewAnswer>;
  load(document: ReleaseDocument, claims: PreviewClaims): Promise<LiveRelease>;
  /** The id of the stable release: previews follow it. */
  stable(): string | null;
  now(): number;
  log: EdgeLog;
}

interface Entry {
  view: PreviewView | null;
  /** What `view` was made from. */
  source: string;
  stable: string | null;
  askedAt: number;
  refreshing: Promise<PreviewView> | null;
}

/** Each has a whole site's documents in memory. */
const previewsAtOnce = 8;
/** A link that was revoked works for no longer than this. */
const askAgainMs = 5_000;

export function createPreviewKeeper(options: PreviewKeeperOptions): PreviewKeeper {
  const { ask, load, stable, now, log } = options;
  /** Least recently used first. */
  const entries = new Map<string, Entry>();

  function entryOf(id: string): Entry {
    const entry = entries.get(id) ?? {
      view: null,
      source: '',
      stable: null,
      askedAt: -Infinity,
      refreshing: null,
    };
    entries.delete(id);
    entries.set(id, entry);
    for (const oldest of entries.keys()) {
      if (entries.size <= previewsAtOnce) break;
      entries.delete(oldest);
    }
    return entry;
  }

  async function refresh(entry: Entry, claims: PreviewClaims): Promise<PreviewView> {
    entry.askedAt = now();
    entry.stable = stable();
    try {
      const answer = await ask(claims.jti);
      if ('over' in answer) {
        entry.source = '';
        return (entry.view = { problem: 'over' });
      }
      const source = JSON.stringify(answer.document);
      const isSame = source === entry.source && entry.view && 'live' in entry.view;
      if (isSame && entry.view) return entry.view;
      const live = await load(answer.document, claims);
      entry.source = source;
      return (entry.view = { live });
    } catch (error) {
      log.warn(
        { preview: claims.jti, problem: messageOf(error) },
        'a preview could not be brought up to date',
      );
      // What was seen a moment ago stays while registry or store are away; its expiry is in the link itself.
      return entry.view ?? { problem: 'unavailable' };
    }
  }

  return {
    async view(claims) {
      const entry = entryOf(claims.jti);
      const isFresh = now() - entry.askedAt < askAgainMs && entry.stable === stable();
      if (isFresh && entry.view && !entry.refreshing) return entry.view;
      entry.refreshing ??= refresh(entry, claims).finally(() => (entry.refreshing = null));
      return entry.refreshing;
    },
    asset(url) {
      for (const { view } of entries.values()) {
        const asset = view && 'live' in view ? view.live.assets.get(url) : undefined;
        if (asset) return asset;
      }
      return undefined;
    },
  };
}
