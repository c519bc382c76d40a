import type { ReleaseDocument, SentReleaseDocument } from '@site/contract';

/**
 * The whole document: what was left out of it comes from the one that is here. Both share their manifests from then on.
 *
 * @returns null when it lacks something all the same.
 */
export function completed(
  { besides, ...sent }: SentReleaseDocument,
  known: ReleaseDocument | null,
): ReleaseDocument | null {
  if (besides === undefined) return sent;
  if (besides !== known?.release.id) return null;
  const { apps, lastGood } = sent.release;
  const manifests: ReleaseDocument['manifests'] = {};
  for (const [app, version] of [...Object.entries(apps), ...Object.entries(lastGood)]) {
    const name = `${app}@${version}`;
    const manifest = sent.manifests[name] ?? known.manifests[name];
    if (!manifest) return null;
    manifests[name] = manifest;
  }
  return { ...sent, manifests };
}
