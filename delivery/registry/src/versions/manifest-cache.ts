import { LRUCache } from 'lru-cache';
import type { VersionManifest } from '@site/contract';

/** What tells a recorded manifest from every other one, and its size in bytes. */
export interface VersionRow {
  app: string;
  version: string;
  /** A number that no other version ever had, nor one that was not recorded in the end. */
  sequence: number;
  digest: string;
  bytes: number;
}

/** Manifests that were read from the database. They are shared: nobody changes one. */
export interface ManifestCache {
  get(row: VersionRow): VersionManifest | undefined;
  add(row: VersionRow, manifest: VersionManifest): void;
}

/** As texts; in memory they take about three times as much. 400 remotes with a last good version each have about 4 MB. */
const KEPT_BYTES = 16 * 1024 * 1024;
/** A larger one takes the place of a hundred others: it is read when it is needed. */
const LARGEST_BYTES = 100 * 1024;

/** Keeps those that were used last. */
export function createManifestCache(limits = { bytes: KEPT_BYTES, largest: LARGEST_BYTES }): ManifestCache {
  const kept = new LRUCache<string, VersionManifest>({ maxSize: limits.bytes, maxEntrySize: limits.largest });
  const keyOf = ({ app, version, sequence, digest, bytes }: VersionRow) =>
    `${app}@${version} ${sequence} ${digest} ${bytes}`;
  return {
    get: (row) => kept.get(keyOf(row)),
    add(row, manifest) {
      kept.set(keyOf(row), manifest, { size: row.bytes });
    },
  };
}
