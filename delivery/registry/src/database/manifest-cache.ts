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
  const kept = new Map<string, { manifest: VersionManifest; bytes: number }>();
  let sum = 0;
  const keyOf = ({ app, version, sequence, digest, bytes }: VersionRow) =>
    `${app}@${version} ${sequence} ${digest} ${bytes}`;

  return {
    get(row) {
      const key = keyOf(row);
      const found = kept.get(key);
      if (!found) return undefined;
      // A map lists what was put last at its end.
      kept.delete(key);
      kept.set(key, found);
      return found.manifest;
    },
    add(row, manifest) {
      const { bytes } = row;
      const key = keyOf(row);
      if (bytes > limits.largest || kept.has(key)) return;
      kept.set(key, { manifest, bytes });
      sum += bytes;
      for (const [oldest, { bytes: freed }] of kept) {
        if (sum <= limits.bytes) break;
        kept.delete(oldest);
        sum -= freed;
      }
    },
  };
}
