import { LRUCache } from 'lru-cache';
import * as v from 'valibot';
import {
  AppNameSchema,
  assetUrl,
  FilePathSchema,
  RELEASE_FOLDER,
  type ReleaseDocument,
} from '@site/contract';
import { createTable, takeApart } from '../documents/boot-data.ts';
import { assetTypeOf } from '@site/server/content-type';
import { loadBody, type BlobReader } from '../files/load-blob.ts';
import { unpack } from '../files/unpack.ts';
import type { Asset } from '../files/served-file.ts';
import { tableAsset } from '../releases/load-release.ts';
import { FileMissingError } from '../files/release-error.ts';
import { tableFile, tableName, type TableFile } from '../documents/release-table.ts';
import { createLookupAllowance } from '../limits/lookup-allowance.ts';
import { createTurns } from '@site/server/turns';

/** Files of releases that are no longer live: tabs that were opened under them still ask for their chunks. */
export interface AssetArchive {
  /**
   * Null when no published version has such a file, or when it was collected.
   * @param caller whose turn it takes: others have theirs, however much this one asks for.
   * @throws Error when registry or store cannot tell, when too much is asked at once, or when the file is damaged.
   */
  find(app: string, path: string, caller: string): Promise<Asset | null>;
  /** Keeps files that were just live in memory, so that they are there even when the store is away. By URL path. */
  keep(assets: Iterable<[string, Asset]>): void;
}

export interface ArchiveOptions {
  store: BlobReader;
  recent(): ReleaseDocument[];
  askRegistry(app: string, path: string): Promise<string | null>;
  /** A file of a release that is live here, by URL path. */
  live(url: string): Asset | null;
  /** Makes the releases live that the registry wants to be. @throws Error when they cannot be loaded. */
  catchUp(): Promise<void>;
  /** As given to `loadRelease`. */
  inlineTableBytes?: number | undefined;
  /** Milliseconds since 1970. */
  now(): number;
}

const CACHED_BYTES = 64 * 1024 * 1024;
/**
 * Guessed names must not become a flood of requests to the registry, nor keep others waiting. But the pages of a release
 * that this edge does not have yet ask for many files at once, and each of their visitors does.
 */
const LOOKUPS = { atOnce: 16, atOncePerCaller: 8, waiting: 500, withinMs: 5_000 };
/** A quarter of what the registry answers to one token: the rest is for the edge's releases. */
const ALLOWANCE = { perMinute: 3_000, perCaller: 600 };
/** Names that nobody published: what is published later has a name that nobody can have guessed before. */
const MISSING = { max: 2_000, ttl: 30_000, ttlResolution: 0 };

export function createAssetArchive({
  store,
  recent,
  askRegistry,
  live,
  catchUp,
  inlineTableBytes,
  now,
}: ArchiveOptions): AssetArchive {
  /** Made once for each release, so that guessed names cost nothing. */
  const tables = new WeakMap<ReleaseDocument, TableFile | null>();
  const cache = new LRUCache<string, Asset>({ maxSize: CACHED_BYTES, sizeCalculation: sizeOf });
  const missed = new LRUCache<string, true>({ ...MISSING, perf: { now } });
  const underWay = new Map<string, Promise<Asset | null>>();
  /** Look-ups that wait for their caller's turn, by caller and URL. */
  const queued = new Map<string, Promise<Asset | null>>();
  const turns = createTurns(LOOKUPS);
  const countQuestion = createLookupAllowance({ ...ALLOWANCE, now });
  /** Of their own: such a look-up can take as long as loading a release. */
  const tableTurns = createTurns({ ...LOOKUPS, atOnce: 2, atOncePerCaller: 1 });

  function tableOf(document: ReleaseDocument): TableFile | null {
    const known = tables.get(document);
    if (known !== undefined) return known;
    const table = tableFile(createTable(takeApart(document)), inlineTableBytes);
    tables.set(document, table);
    return table;
  }

  /** An edge that was restarted since has no tables of former releases in memory, but can make them again. */
  async function findTable(path: string, url: string, caller: string): Promise<Asset | null> {
    if (!tableName.test(path)) return null;
    const table = recent()
      .map(tableOf)
      .find((made) => made?.url === url);
    if (!table) {
      // The page came from an edge that heard of the release earlier.
      countQuestion(caller);
      await catchUp();
      return live(url);
    }
    const asset = await tableAsset(table);
    cache.set(url, asset);
    return asset;
  }

  async function load(app: string, path: string, url: string, caller: string): Promise<Asset | null> {
    const shown = shownIn(recent(), app, path);
    let integrity = shown?.integrity ?? null;
    if (integrity === null) {
      countQuestion(caller);
      integrity = await askRegistry(app, path);
    }
    if (integrity === null) return null;
    try {
      // The pack is on this machine's disk, the file alone perhaps not.
      const packed = shown?.pack === undefined ? null : await unpack(store, shown.pack);
      const found = packed && (await loadBody(packed, integrity, url, shown?.size).catch(() => null));
      const body = found ?? (await loadBody(store, integrity, url));
      const asset = { contentType: assetTypeOf(path), integrity, body };
      cache.set(url, asset);
      return asset;
    } catch (error) {
      // The registry knows the names of collected files, too. Asking again would not bring them back.
      if (error instanceof FileMissingError) return null;
      throw error;
    }
  }

  /** What is known of a URL without asking anybody; undefined when nothing is. */
  function recall(url: string): Asset | null | undefined {
    return cache.get(url) ?? (missed.has(url) ? null : undefined);
  }

  /** One look-up for all who ask at the same time: while this one waited for its turn, another may have begun or ended. */
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
      const isTable = app === RELEASE_FOLDER;
      if (!(isTable || v.is(AppNameSchema, app)) || !v.is(FilePathSchema, path)) return null;
      const url = assetUrl(app, path);
      const known = recall(url);
      if (known !== undefined) return known;
      const already = underWay.get(url);
      if (already) return already;
      const place = `${caller} ${url}`;
      const waiting = queued.get(place);
      if (waiting) return waiting;
      const look = () =>
        lookUp(url, () => (isTable ? findTable(path, url, caller) : load(app, path, url, caller)));
      const lookup = (isTable ? tableTurns : turns).take(caller, look).finally(() => queued.delete(place));
      queued.set(place, lookup);
      return lookup;
    },
  };
}

/** A file of releases that were served, and the pack of its version. */
function shownIn(
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

function sizeOf({ body }: Asset): number {
  // The cache takes nothing that has no size.
  return Math.max(1, body.identity.length + (body.br?.length ?? 0) + (body.gzip?.length ?? 0));
}
