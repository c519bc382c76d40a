import * as v from 'valibot';
import { AppNameSchema, assetUrl, FilePathSchema, type ReleaseDocument } from '@site/contract';
import { contentTypeOf } from './content-type.ts';
import { loadBody, type BlobReader } from './load-blob.ts';
import type { Asset } from './load-release.ts';

/** Files of releases that are no longer live: tabs that were opened under them still ask for their chunks. */
export interface AssetArchive {
  /**
   * Null when no published version has such a file.
   * @throws Error when registry or store cannot tell, or when the file is damaged.
   */
  find(app: string, path: string): Promise<Asset | null>;
  /** Keeps files that were just live in memory, so that they are there even when the store is away. By URL path. */
  keep(assets: Iterable<[string, Asset]>): void;
}

/** Too many such questions at once: the caller answers "try again". */
export class ArchiveBusyError extends Error {
  override name = 'ArchiveBusyError';
}

export interface ArchiveOptions {
  store: BlobReader;
  recent(): ReleaseDocument[];
  askRegistry(app: string, path: string): Promise<string | null>;
}

const cachedBytes = 64 * 1024 * 1024;
/** Guessed names must not become a flood of requests to the registry. */
const lookupsAtOnce = 16;

export function createAssetArchive({ store, recent, askRegistry }: ArchiveOptions): AssetArchive {
  /** Least recently used first. */
  const cache = new Map<string, Asset>();
  const underWay = new Map<string, Promise<Asset | null>>();
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

  async function load(app: string, path: string, url: string): Promise<Asset | null> {
    const integrity = integrityIn(recent(), app, path) ?? (await askRegistry(app, path));
    if (integrity === null) return null;
    const asset = {
      contentType: contentTypeOf(path),
      integrity,
      body: await loadBody(store, integrity, url),
    };
    keep(url, asset);
    return asset;
  }

  return {
    keep(assets) {
      for (const [url, asset] of assets) keep(url, asset);
    },

    async find(app, path) {
      if (!v.is(AppNameSchema, app) || !v.is(FilePathSchema, path)) return null;
      const url = assetUrl(app, path);
      const cached = cache.get(url);
      if (cached) {
        cache.delete(url);
        cache.set(url, cached);
        return cached;
      }
      const already = underWay.get(url);
      if (already) return already;
      if (underWay.size >= lookupsAtOnce)
        throw new ArchiveBusyError(`${lookupsAtOnce} look-ups are under way.`);
      const lookup = load(app, path, url).finally(() => underWay.delete(url));
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
