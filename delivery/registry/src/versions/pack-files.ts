import { COMPRESSED_FROM_BYTES } from '@site/artifacts/encodings';
import { decompress } from '@site/artifacts/blob-state';
import { LARGEST_PACKED_BYTES, makePack, type Packed } from '@site/artifacts/pack';
import type { FileEntry, VersionManifest } from '@site/contract';
import { computeIntegrity } from '@site/contract/integrity';
import { inParallel } from '@site/contract/in-parallel';
import { versionName } from './version.repository.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { ProtectedStore } from '../kernel/context.ts';

const READS_AT_ONCE = 8;

/**
 * An edge loads the pack with one request. Every file is verified.
 * @returns null if a pack would save no request.
 * @throws ApiError `blob_missing` if a file is missing or damaged.
 */
export async function packFiles(store: ProtectedStore, manifest: VersionManifest): Promise<string | null> {
  const files = new Map(manifest.assets.map((file) => [file.integrity, file]));
  const blobs = await inParallel(READS_AT_ONCE, [...files.values()], (file) => packed(store, manifest, file));
  const pack = await putPack(
    store,
    blobs.filter((blob) => blob !== null),
  );
  return pack?.integrity ?? null;
}

export async function putPack(
  store: ProtectedStore,
  blobs: readonly Packed[],
): Promise<{ integrity: string; holds: ReadonlySet<string> } | null> {
  const pack = makePack(blobs);
  if (!pack) return null;
  const integrity = computeIntegrity(pack.bytes);
  await store.put(integrity, pack.bytes);
  return { integrity, holds: pack.holds };
}

/** In the form that an edge reads: the brotli copy if there is one, since it unpacks to the file. */
async function packed(
  store: ProtectedStore,
  { app, version }: VersionManifest,
  { integrity, path, size }: FileEntry,
): Promise<Packed | null> {
  const br = size < COMPRESSED_FROM_BYTES ? null : await store.getEncoded(integrity, 'br');
  if (br && br.length > LARGEST_PACKED_BYTES) return null;
  const unpacked = br && (await decompress(br, 'br', size));
  if (br && unpacked && computeIntegrity(unpacked) === integrity)
    return { integrity, isBrotli: true, bytes: br };
  if (size > LARGEST_PACKED_BYTES) return null;
  const bytes = await store.get(integrity);
  if (bytes && computeIntegrity(bytes) === integrity) return { integrity, isBrotli: false, bytes };
  if (bytes) await store.markDamaged([integrity]);
  throw registryErrors.blob_missing(
    `${path} of ${versionName(app, version)} (${integrity}) is ` +
      `${bytes ? 'damaged in' : 'gone from'} the store. Upload it again.`,
  );
}
