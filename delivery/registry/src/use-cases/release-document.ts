import type { Release, ReleaseDocument, SentReleaseDocument } from '@site/contract';
import { findRendered } from '../database/rendered-page.repository.ts';
import type { StoredRelease } from '../database/release.repository.ts';
import { findManifests, versionName, type VersionPair } from '../database/version.repository.ts';
import type { RegistryContext } from './context.ts';

/** Everything that an edge needs to serve a release. It never changes. */
export function releaseDocument(context: RegistryContext, stored: StoredRelease): Promise<ReleaseDocument> {
  return documentOf(context, stored, versionsOf(stored));
}

/** The same for a reader who has the document of another release, or none. */
export async function sentDocument(
  context: RegistryContext,
  stored: StoredRelease,
  known: StoredRelease | null,
): Promise<SentReleaseDocument> {
  if (!known) return releaseDocument(context, stored);
  const there = new Set(versionsOf(known).map((pair) => versionName(...pair)));
  const others = versionsOf(stored).filter((pair) => !there.has(versionName(...pair)));
  return { ...(await documentOf(context, stored, others)), besides: known.release.id };
}

/** Whose manifests a document holds. */
function versionsOf({ release }: { release: Release }): VersionPair[] {
  return [...Object.entries(release.apps), ...Object.entries(release.lastGood)];
}

async function documentOf(
  { db }: RegistryContext,
  { release, configDigest }: StoredRelease,
  versions: readonly VersionPair[],
): Promise<ReleaseDocument> {
  const { shell: shellVersion = '', ...remotes } = release.apps;
  const manifests = await findManifests(db, versions);
  const rendered: ReleaseDocument['rendered'] = {};
  for (const { path, variantKey, integrity } of await findRendered(
    db,
    { shellVersion, configDigest },
    remotes,
  )) {
    (rendered[path] ??= {})[variantKey] = integrity;
  }
  return { release, manifests: Object.fromEntries(manifests), rendered };
}
