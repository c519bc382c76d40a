import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { PreviewLinkIdSchema, type Preview, type ReleaseDocument } from '@site/contract';
import type { Asset } from '../files/served-file.ts';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { messageOf, type EdgeLog } from '../telemetry/log.ts';
import { createLookupAllowance } from '../limits/lookup-allowance.ts';
import { hashSecret } from '@site/server/secrets';
import { BusyError, createTurns } from '@site/server/turns';

/** Why a link shows nothing: it is not ours, has ended, the registry cannot be asked about it, or too much is asked. */
type Refusal = 'invalid' | 'over';
export type PreviewView =
  { release: LoadedRelease; preview: Preview } | { problem: Refusal | 'unavailable' | 'busy' };

/** The releases that preview links show: the live one with one version exchanged. */
export interface PreviewKeeper {
  /**
   * What the link with this id shows. Never rejects.
   *
   * @param caller who asks: unknown ids are asked about one caller after the other.
   */
  view(linkId: string, caller: string): Promise<PreviewView>;
  /** A file of a preview that is in memory. By URL path. */
  asset(url: string): Asset | undefined;
}

export interface PreviewKeeperOptions {
  channel: string;
  /** Asks the registry, by the hash of the id: is it in force, and what is it of? */
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

/** Each has a whole site's documents in memory. */
const PREVIEWS_AT_ONCE = 8;
/** An answer of the registry is believed for this long: a preview that it ended is gone everywhere within the second. */
const BELIEVED_MS = 500;
/** What the registry does not know, or has ended, does not come back. */
const REFUSALS = { max: 1_000, ttl: 60_000, ttlResolution: 0 };
/** An eighth of what the registry answers to one token: see `asset-archive.ts`, which has its own part. */
const ALLOWANCE = { perMinute: 1_500, perCaller: 300 };
/** Questions about previews that are not in memory. */
const STRANGERS = { atOnce: 4, atOncePerCaller: 2, waiting: 16, withinMs: 2_000 };
/** What is live may move on while it is loaded. */
const ATTEMPTS = 3;

/**
 * Nothing is shown that the registry did not just say is in force; while it is away no preview is shown. Anyone can make up
 * ids, so few questions about unknown ones are under way at a time, and in a minute.
 */
export function createPreviewKeeper(options: PreviewKeeperOptions): PreviewKeeper {
  const { channel, ask, fetchDocument, load, now, log } = options;
  /** By hash, as everything here: ids are not kept. */
  const entries = new LRUCache<string, Entry>({ max: PREVIEWS_AT_ONCE });
  const refused = new LRUCache<string, Refusal>({ ...REFUSALS, perf: { now } });
  const asking = new Map<string, Promise<PreviewView>>();
  const strangers = createTurns(STRANGERS);
  const countQuestion = createLookupAllowance({ ...ALLOWANCE, now });

  function refuse(hash: string, problem: Refusal): PreviewView {
    entries.delete(hash);
    refused.set(hash, problem);
    return { problem };
  }

  /** What is shown was loaded before it was asked for the last time: loading may take long. */
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
      countQuestion(caller);
      return await strangers.take(caller, () => check(hash));
    } catch (error) {
      if (error instanceof BusyError) return { problem: 'busy' };
      log.warn({ preview: hash, problem: messageOf(error) }, 'a preview cannot be shown');
      return { problem: 'unavailable' };
    }
  }

  return {
    async view(linkId, caller) {
      if (!v.is(PreviewLinkIdSchema, linkId)) return { problem: 'invalid' };
      const hash = hashSecret(linkId);
      const problem = refused.get(hash);
      if (problem) return { problem };
      // Being asked for does not make it worth keeping: an answer of the registry does.
      const entry = entries.peek(hash);
      if (entry && now() - entry.askedAt < BELIEVED_MS) return entry;
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
