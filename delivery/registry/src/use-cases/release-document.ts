import type { ReleaseDocument } from '@site/contract';
import { findRendered } from '../database/rendered-page.repository.ts';
import type { StoredRelease } from '../database/release.repository.ts';
import { findManifests } from '../database/version.repository.ts';
import type { RegistryContext } from './context.ts';

/** Everything that an edge needs to serve a release. It never changes. */
export async function releaseDocument(
  { db }: RegistryContext,
  { release, configDigest }: StoredRelease,
): Promise<ReleaseDocument> {
  const { shell: shellVersion = '', ...remotes } = release.apps;
  const manifests = await findManifests(db, [
    ...Object.entries(release.apps),
    ...Object.entries(release.lastGood),
  ]);
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
