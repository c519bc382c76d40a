import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { PreviewLinkIdSchema, type Preview, type ReleaseDocument } from '@site/contract';
import type { Asset } from '../files/served-file.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { errorMessage, type EdgeLog } from '../telemetry/log.ts';
import { createLookupAllowance } from '../limits/minute-quota.ts';
import { hashSecret } from '@site/server/secrets';
import { BusyError, createTurns } from '@site/server/turns';

type Refusal = 'invalid' | 'over';
export type PreviewView =
  { release: LoadedRelease; preview: Preview } | { problem: Refusal | 'unavailable' | 'busy' };

export interface PreviewKeeper {
  /** Never rejects. @param caller the client, for fair queueing of unknown ids. */
  view(linkId: string, caller: string): Promise<PreviewView>;
  asset(url: string): Asset | undefined;
}

export interface PreviewKeeperOptions {
  channel: string;
  ask(hash: string): Promise<Preview | Refusal>;
  fetchDocument(hash: string): Promise<ReleaseDocument | Refusal>;
  load(document: ReleaseDocument, preview: Preview): Promise<LoadedRelease>;
  now(): number;
  log: EdgeLog;
}

interface Entry {
  release: LoadedRelease;
  preview: Preview;
  askedAt: number;
}

/** Each holds a whole site's documents in memory. */
const PREVIEWS_AT_ONCE = 8;
/** Maximum age of a registry response: a preview that ends disappears everywhere within a second. */
const MAX_AGE_MS = 500;
/** Unknown and ended previews never become valid. */
const REFUSALS = { max: 1_000, ttl: 60_000, ttlResolution: 0 };
/** An eighth of the registry's rate limit per token: see `asset-archive.ts`, which has its own share. */
const ALLOWANCE = { perMinute: 1_500, perCaller: 300 };
const UNKNOWN_ID_LOOKUPS = { atOnce: 4, atOncePerCaller: 2, waiting: 16, withinMs: 2_000 };
/** The live release may change while a preview loads. */
const ATTEMPTS = 3;

/**
 * Shows a preview only if the registry has just confirmed it, so none while the registry is down. Anyone can make up
 * ids, so lookups of unknown ones are limited in concurrency and rate.
 */
export function createPreviewKeeper(options: PreviewKeeperOptions): PreviewKeeper {
  const { channel, ask, fetchDocument, load, now, log } = options;
  /** By hash: ids are never stored. */
  const entries = new LRUCache<string, Entry>({ max: PREVIEWS_AT_ONCE });
  const refused = new LRUCache<string, Refusal>({ ...REFUSALS, perf: { now } });
  const asking = new Map<string, Promise<PreviewView>>();
  const unknownIds = createTurns(UNKNOWN_ID_LOOKUPS);
  const countLookup = createLookupAllowance({ ...ALLOWANCE, now });

  function refuse(hash: string, problem: Refusal): PreviewView {
    entries.delete(hash);
    refused.set(hash, problem);
    return { problem };
  }

  /** Loading may take long, so the last check comes after it. */
  async function check(hash: string): Promise<PreviewView> {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const askedAt = now();
      const preview = await ask(hash);
      if (typeof preview === 'string') return refuse(hash, preview);
      if (preview.channel !== channel) return refuse(hash, 'invalid');
      const release = entries.peek(hash)?.release;
      if (release && release.id === preview.live) {
        entries.set(hash, { release, preview, askedAt });
        return { release, preview };
      }
      const document = await fetchDocument(hash);
      if (typeof document === 'string') return refuse(hash, document);
      entries.set(hash, { release: await load(document, preview), preview, askedAt: -Infinity });
    }
    throw new Error('The live release kept changing while the preview was loaded.');
  }

  async function checkSafely(hash: string, caller: string): Promise<PreviewView> {
    try {
      if (entries.has(hash)) return await check(hash);
      countLookup(caller);
      return await unknownIds.take(caller, () => check(hash));
    } catch (error) {
      if (error instanceof BusyError) return { problem: 'busy' };
      log.warn({ preview: hash, problem: errorMessage(error) }, 'a preview cannot be shown');
      return { problem: 'unavailable' };
    }
  }

  return {
    async view(linkId, caller) {
      if (!v.is(PreviewLinkIdSchema, linkId)) return { problem: 'invalid' };
      const hash = hashSecret(linkId);
      const problem = refused.get(hash);
      if (problem) return { problem };
      // `peek`: only a registry response refreshes an entry, not a request.
      const entry = entries.peek(hash);
      if (entry && now() - entry.askedAt < MAX_AGE_MS) return entry;
      const answer = asking.get(hash) ?? checkSafely(hash, caller).finally(() => asking.delete(hash));
      asking.set(hash, answer);
      return answer;
    },
    asset(url) {
      for (const { release } of entries.values()) {
        const asset = release.assets.get(url);
        if (asset) return asset;
      }
      return undefined;
    },
  };
}
