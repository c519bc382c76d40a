import { LRUCache } from 'lru-cache';
import type { VersionManifest } from '@site/contract';

export interface VersionRow {
  app: string;
  version: string;
  sequence: number;
  digest: string;
  bytes: number;
}

/** They are shared: do not modify them. */
export interface ManifestCache {
  get(row: VersionRow): VersionManifest | undefined;
  add(row: VersionRow, manifest: VersionManifest): void;
}

/**
 * Size as text; in memory they take about three times as much. 400 remotes, each with a last good version, have about 4
 * MB.
 */
const KEPT_BYTES = 16 * 1024 * 1024;
/** A larger manifest would evict a hundred others, so it is never cached. */
const LARGEST_BYTES = 100 * 1024;

export function createManifestCache(limits = { bytes: KEPT_BYTES, largest: LARGEST_BYTES }): ManifestCache {
  const kept = new LRUCache<string, VersionManifest>({ maxSize: limits.bytes, maxEntrySize: limits.largest });
  const cacheKey = ({ app, version, sequence, digest, bytes }: VersionRow) =>
    `${app}@${version} ${sequence} ${digest} ${bytes}`;
  return {
    get: (row) => kept.get(cacheKey(row)),
    add(row, manifest) {
      kept.set(cacheKey(row), manifest, { size: row.bytes });
    },
  };
}
