import * as v from 'valibot';
import {
  AppNameSchema,
  assetUrl,
  FilePathSchema,
  RELEASE_FOLDER,
  type ReleaseDocument,
} from '@site/contract';
import { createTable, takeApart } from './boot-data.ts';
import { assetTypeOf } from './content-type.ts';
import { loadBody, type BlobReader } from './load-blob.ts';
import { tableAsset, type Asset } from './load-release.ts';
import { FileMissingError } from './release-error.ts';
import { tableFile, tableName, type TableFile } from './release-table.ts';
import { createTurns } from './turns.ts';

/** Files of releases that are no longer live: tabs that were opened under them still ask for their chunks. */
export interface AssetArchive {
  /**
   * Null when no published version has such a file, or when it was collected.
   * @throws Error when registry or store cannot tell, when too much is asked at once, or when the file is damaged.
   */
  find(app: string, path: string): Promise<Asset | null>;
  /** Keeps files that were just live in memory, so that they are there even when the store is away. By URL path. */
  keep(assets: Iterable<[string, Asset]>): void;
}

export interface ArchiveOptions {
  store: BlobReader;
  recent(): ReleaseDocument[];
  askRegistry(app: string, path: string): Promise<string | null>;
  /** A file of a release that is live here, by URL path. */
  live(url: string): Asset | null;
  /** Makes the releases live that the registry wants to be. @throws Error when they cannot be had. */
  catchUp(): Promise<void>;
  /** As given to `loadRelease`. */
  inlineTableBytes?: number | undefined;
}

const cachedBytes = 64 * 1024 * 1024;
/**
 * Guessed names must not become a flood of requests to the registry. But the pages of a release that this edge does not
 * have yet ask for many files at once, and each of their visitors does.
 */
const lookups = { atOnce: 16, waiting: 500, withinMs: 5_000 };

export function createAssetArchive({
  store,
  recent,
  askRegistry,
  live,
  catchUp,
  inlineTableBytes,
}: ArchiveOptions): AssetArchive {
  /** Made once for each release, so that guessed names cost nothing. */
  const tables = new WeakMap<ReleaseDocument, TableFile | null>();
  /** Least recently used first. */
  const cache = new Map<string, Asset>();
  const underWay = new Map<string, Promise<Asset | null>>();
  const turns = createTurns(lookups);
  /** Of their own: such a look-up can take as long as loading a release. */
  const tableTurns = createTurns({ ...lookups, atOnce: 2 });
  let bytes = 0;

  function keep(url: string, asset: Asset): void {
    if (cache.has(url)) return;
    cache.set(url, asset);
    bytes += sizeOf(asset);
    for (const [oldUrl, old] of cache) {
      if (bytes <= cachedBytes || oldUrl === url) break;
      cache.delete(oldUrl);
      bytes -= sizeOf(old);
    }
  }

  function tableOf(document: ReleaseDocument): TableFile | null {
    const known = tables.get(document);
    if (known !== undefined) return known;
    const table = tableFile(createTable(takeApart(document)), inlineTableBytes);
    tables.set(document, table);
    return table;
  }

  /** An edge that was restarted since has no tables of former releases in memory, but can make them again. */
  async function findTable(path: string, url: string): Promise<Asset | null> {
    if (!tableName.test(path)) return null;
    const table = recent()
      .map(tableOf)
      .find((made) => made?.url === url);
    if (!table) {
      // The page came from an edge that was told of a release earlier.
      await catchUp();
      return live(url);
    }
    const asset = await tableAsset(table);
    keep(url, asset);
    return asset;
  }

  async function load(app: string, path: string, url: string): Promise<Asset | null> {
    const integrity = integrityIn(recent(), app, path) ?? (await askRegistry(app, path));
    if (integrity === null) return null;
    try {
      const body = await loadBody(store, integrity, url);
      const asset = { contentType: assetTypeOf(path), integrity, body };
      keep(url, asset);
      return asset;
    } catch (error) {
      // The registry knows the names of collected files, too. Asking again would not bring them back.
      if (error instanceof FileMissingError) return null;
      throw error;
    }
  }

  return {
    keep(assets) {
      for (const [url, asset] of assets) keep(url, asset);
    },

    async find(app, path) {
      const isTable = app === RELEASE_FOLDER;
      if (!(isTable || v.is(AppNameSchema, app)) || !v.is(FilePathSchema, path)) return null;
      const url = assetUrl(app, path);
      const cached = cache.get(url);
      if (cached) {
        cache.delete(url);
        cache.set(url, cached);
        return cached;
      }
      const already = underWay.get(url);
      if (already) return already;
      const lookup = (
        isTable ? tableTurns.take(() => findTable(path, url)) : turns.take(() => load(app, path, url))
      ).finally(() => underWay.delete(url));
      underWay.set(url, lookup);
      return lookup;
    },
  };
}

function integrityIn(documents: ReleaseDocument[], app: string, path: string): string | null {
  for (const { manifests } of documents) {
    for (const manifest of Object.values(manifests)) {
      if (manifest.app !== app) continue;
      const file = manifest.assets.find((asset) => asset.path === path);
      if (file) return file.integrity;
    }
  }
  return null;
}

function sizeOf({ body }: Asset): number {
  return body.identity.length + (body.br?.length ?? 0) + (body.gzip?.length ?? 0);
}
