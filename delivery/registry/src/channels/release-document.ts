import type { Release, ReleaseDocument, SentReleaseDocument } from '@site/contract';
import { findRendered } from '../pages/index.ts';
import { findDigest, type StoredRelease } from './release.repository.ts';
import { findManifests, findPacks, versionName, type VersionPair, type AppSet } from '../versions/index.ts';
import type { RegistryContext } from '../kernel/context.ts';

/** Immutable. */
export function releaseDocument(context: RegistryContext, stored: StoredRelease): Promise<ReleaseDocument> {
  return createDocument(context, stored, { versions: listVersions(stored), live: stored.release.apps });
}

/** Relative to another document that the client has, or complete. */
export async function sentDocument(
  context: RegistryContext,
  stored: StoredRelease,
  known: StoredRelease | null,
): Promise<SentReleaseDocument> {
  if (!known) return releaseDocument(context, stored);
  const there = new Set(listVersions(known).map((pair) => versionName(...pair)));
  const others = listVersions(stored).filter((pair) => !there.has(versionName(...pair)));
  const besidesPages = sharesPages(known, stored);
  const live = besidesPages ? changedVersions(stored.release.apps, known.release.apps) : stored.release.apps;
  const document = await createDocument(context, stored, { versions: others, live });
  const besidesDigest = await findDigest(context.db, known);
  return { ...document, besides: known.release.id, besidesDigest, besidesPages };
}

/** A page depends on its version, the shell and the configuration. */
function sharesPages(known: StoredRelease, { release, configDigest }: StoredRelease): boolean {
  return known.release.apps.shell === release.apps.shell && known.configDigest === configDigest;
}

function changedVersions(apps: AppSet, known: AppSet): AppSet {
  return Object.fromEntries(Object.entries(apps).filter(([app, version]) => known[app] !== version));
}

function listVersions({ release }: { release: Release }): VersionPair[] {
  return [...Object.entries(release.apps), ...Object.entries(release.lastGood)];
}

async function createDocument(
  context: RegistryContext,
  stored: StoredRelease,
  { versions, live }: { versions: readonly VersionPair[]; live: AppSet },
): Promise<ReleaseDocument> {
  const { db } = context;
  const { release, configDigest } = stored;
  const { shell: shellVersion = '' } = release.apps;
  const digest = await findDigest(db, stored);
  const manifests = await findManifests(db, versions);
  const rendered: ReleaseDocument['rendered'] = {};
  const pages: Record<string, string[]> = {};
  for (const { app, path, variantKey, integrity, pack } of await findRendered(
    db,
    { shellVersion, configDigest },
    live,
  )) {
    (rendered[path] ??= {})[variantKey] = integrity;
    if (pack !== null && !pages[app]?.includes(pack)) (pages[app] ??= []).push(pack);
  }
  const packs = { files: await findPacks(db, versions), pages };
  return { release, digest, manifests: Object.fromEntries(manifests), rendered, packs };
}
