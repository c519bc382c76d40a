import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import { AppNameSchema, assetUrl, FilePathSchema, type ReleaseDocument } from '@site/contract';
import { assetContentType } from '@site/server/content-type';
import { FileMissingError, loadBody, type BlobReader } from '../files/load-blob.ts';
import { unpack } from '../files/unpack.ts';
import type { Asset } from '../files/served-file.ts';
import { createLookupAllowance } from '../limits/minute-quota.ts';
import { createTurns } from '@site/server/turns';

/** Files of releases that are no longer live, because open tabs still request their chunks. */
export interface AssetArchive {
  /**
   * Null if no published version has such a file, or if it was garbage-collected.
   * @param caller the client, for fair queueing.
   * @throws Error if registry or store fail, on overload, or if the file is damaged.
   */
  find(app: string, path: string, caller: string): Promise<Asset | null>;
  /** Caches files of recent releases in memory, so that they are available while the store is down. */
  keep(assets: Iterable<[string, Asset]>): void;
}

export interface ArchiveOptions {
  store: BlobReader;
  recent(): ReleaseDocument[];
  askRegistry(app: string, path: string): Promise<string | null>;
  now(): number;
}

const CACHED_BYTES = 64 * 1024 * 1024;
/**
 * Guessed names must not flood the registry or starve other clients. But each visitor of a release that this edge does
 * not have yet requests many files at once.
 */
const LOOKUPS = { atOnce: 16, atOncePerCaller: 8, waiting: 500, withinMs: 5_000 };
/** A quarter of the registry's rate limit per token; the rest is for the edge's releases. */
const ALLOWANCE = { perMinute: 3_000, perCaller: 600 };
/** Unknown names. Names contain a content hash, so a name cannot be guessed before its file is published. */
const MISSING = { max: 2_000, ttl: 30_000, ttlResolution: 0 };

export function createAssetArchive({ store, recent, askRegistry, now }: ArchiveOptions): AssetArchive {
  const cache = new LRUCache<string, Asset>({ maxSize: CACHED_BYTES, sizeCalculation: assetBytes });
  const missed = new LRUCache<string, true>({ ...MISSING, perf: { now } });
  const underWay = new Map<string, Promise<Asset | null>>();
  const queued = new Map<string, Promise<Asset | null>>();
  const turns = createTurns(LOOKUPS);
  const countLookup = createLookupAllowance({ ...ALLOWANCE, now });

  async function load(app: string, path: string, url: string, caller: string): Promise<Asset | null> {
    const shown = findFile(recent(), app, path);
    let integrity = shown?.integrity ?? null;
    if (integrity === null) {
      countLookup(caller);
      integrity = await askRegistry(app, path);
    }
    if (integrity === null) return null;
    try {
      // The pack is cached on disk, but the single file may not be.
      const packed = shown?.pack === undefined ? null : await unpack(store, shown.pack);
      const found = packed && (await loadBody(packed, integrity, url, shown?.size).catch(() => null));
      const body = found ?? (await loadBody(store, integrity, url));
      const asset = { contentType: assetContentType(path), integrity, body };
      cache.set(url, asset);
      return asset;
    } catch (error) {
      // The registry also knows the names of collected files. A retry would not bring them back.
      if (error instanceof FileMissingError) return null;
      throw error;
    }
  }

  function recall(url: string): Asset | null | undefined {
    return cache.get(url) ?? (missed.has(url) ? null : undefined);
  }

  /** Deduplicates concurrent lookups. Another one may have started or ended while this one was queued. */
  async function lookUp(url: string, work: () => Promise<Asset | null>): Promise<Asset | null> {
    const known = recall(url);
    if (known !== undefined) return known;
    const lookup = underWay.get(url) ?? work().finally(() => underWay.delete(url));
    underWay.set(url, lookup);
    const found = await lookup;
    if (!found) missed.set(url, true);
    return found;
  }

  return {
    keep(assets) {
      for (const [url, asset] of assets) cache.set(url, asset);
    },

    async find(app, path, caller) {
      if (!v.is(AppNameSchema, app) || !v.is(FilePathSchema, path)) return null;
      const url = assetUrl(app, path);
      const known = recall(url);
      if (known !== undefined) return known;
      const already = underWay.get(url);
      if (already) return already;
      const place = `${caller} ${url}`;
      const waiting = queued.get(place);
      if (waiting) return waiting;
      const look = () => lookUp(url, () => load(app, path, url, caller));
      const lookup = turns.take(caller, look).finally(() => queued.delete(place));
      queued.set(place, lookup);
      return lookup;
    },
  };
}

export function findFile(
  documents: ReleaseDocument[],
  app: string,
  path: string,
): { integrity: string; size: number; pack: string | undefined } | null {
  for (const { manifests, packs } of documents) {
    for (const [name, manifest] of Object.entries(manifests)) {
      if (manifest.app !== app) continue;
      const file = manifest.assets.find((asset) => asset.path === path);
      if (file) return { ...file, pack: packs?.files[name] };
    }
  }
  return null;
}

function assetBytes({ body }: Asset): number {
  // The cache rejects entries of size 0.
  return Math.max(1, body.identity.length + (body.br?.length ?? 0) + (body.gzip?.length ?? 0));
}
