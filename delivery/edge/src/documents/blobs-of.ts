import type { ReleaseDocument } from '@site/contract';

/** Every blob that a restart needs to serve these releases: files, prerendered pages, and their packs. */
export function blobsOf(documents: ReleaseDocument[]): Set<string> {
  const needed = new Set<string>();
  for (const { manifests, rendered, packs } of documents) {
    for (const { assets } of Object.values(manifests))
      for (const { integrity } of assets) needed.add(integrity);
    for (const variants of Object.values(rendered))
      for (const integrity of Object.values(variants)) needed.add(integrity);
    for (const pack of [...Object.values(packs?.files ?? {}), ...Object.values(packs?.pages ?? {}).flat()])
      needed.add(pack);
  }
  return needed;
}
