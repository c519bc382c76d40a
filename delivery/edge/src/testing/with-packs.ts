import { COMPRESSED_FROM_BYTES } from '@site/artifacts/encodings';
import { makePack, type Packed } from '@site/artifacts/pack';
import { computeIntegrity } from '@site/contract/integrity';
import type { ReleaseDocument } from '@site/contract';
import type { MemoryStore } from './memory-store.ts';

/** The release as sent by a registry that has packed its files and pages. */
export async function withPacks(store: MemoryStore, document: ReleaseDocument): Promise<ReleaseDocument> {
  const files: Record<string, string> = {};
  const pages: Record<string, string[]> = {};
  for (const [name, manifest] of Object.entries(document.manifests)) {
    const pack = await put(store, await Promise.all(manifest.assets.map((file) => packedFile(store, file))));
    if (pack) files[name] = pack;
    if (manifest.kind !== 'remote' || document.release.apps[manifest.app] !== manifest.version) continue;
    const rendered = manifest.pages.flatMap(({ path }) => Object.values(document.rendered[path] ?? {}));
    const pagePack = await put(
      store,
      await Promise.all(rendered.map((integrity) => packedFile(store, { integrity, size: 0 }))),
    );
    if (pagePack) pages[manifest.app] = [pagePack];
  }
  return { ...document, packs: { files, pages } };
}

async function packedFile(
  store: MemoryStore,
  { integrity, size }: { integrity: string; size: number },
): Promise<Packed> {
  const br = size < COMPRESSED_FROM_BYTES ? null : await store.getEncoded(integrity, 'br');
  const bytes = br ?? (await store.get(integrity));
  if (!bytes) throw new Error(`The sample release has no ${integrity}.`);
  return { integrity, isBrotli: br !== null, bytes };
}

async function put(store: MemoryStore, blobs: Packed[]): Promise<string | null> {
  const pack = makePack(blobs);
  if (!pack) return null;
  const integrity = computeIntegrity(pack.bytes);
  await store.put(integrity, pack.bytes);
  return integrity;
}
