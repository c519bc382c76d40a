import type { ReleaseDocument, SentReleaseDocument } from '@site/contract';

/**
 * Completes a document with the parts omitted from it, taken from the local one. Both share their manifests from then
 * on.
 *
 * @returns null if a part is still missing.
 */
export function completed(
  { besides, besidesPages = false, ...sent }: SentReleaseDocument,
  known: ReleaseDocument | null,
): ReleaseDocument | null {
  if (besides === undefined) return sent;
  if (besides !== known?.release.id) return null;
  const { apps, lastGood } = sent.release;
  const manifests: ReleaseDocument['manifests'] = {};
  const files: Record<string, string> = {};
  const rendered = { ...sent.rendered };
  const pages = { ...sent.packs?.pages };
  for (const [app, version] of [...Object.entries(apps), ...Object.entries(lastGood)]) {
    const name = `${app}@${version}`;
    const manifest = sent.manifests[name] ?? known.manifests[name];
    if (!manifest) return null;
    manifests[name] = manifest;
    const pack = sent.packs?.files[name] ?? known.packs?.files[name];
    if (pack !== undefined) files[name] = pack;
    if (!besidesPages || apps[app] !== version || known.release.apps[app] !== version) continue;
    for (const { path } of manifest.kind === 'remote' ? manifest.pages : []) {
      const page = known.rendered[path];
      if (page) rendered[path] = page;
    }
    const packs = known.packs?.pages[app];
    if (packs) pages[app] = packs;
  }
  return { ...sent, manifests, rendered, ...(sent.packs ? { packs: { files, pages } } : {}) };
}
