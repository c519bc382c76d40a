import type { RemoteManifest, ShellManifest, VersionManifest } from '@site/contract';
import type { RegistryDb } from '../kernel/tables.ts';
import {
  findCollected,
  versionName,
  findManifests,
  type AppSet,
  haveSameRoutes,
  conflictsWith,
  conflictsWithin,
  indexOwners,
  redirectLoop,
  describeUnmetRange,
  unmetRanges,
} from '../versions/index.ts';
import { timeText } from '@site/contract/text';
import { registryErrors, versionUnknown } from '../kernel/registry-errors.ts';

export interface ReleaseSet {
  shell: ShellManifest;
  remotes: RemoteManifest[];
}

export async function loadReleaseSet(db: RegistryDb, apps: AppSet): Promise<ReleaseSet> {
  const found = await findManifests(db, Object.entries(apps));
  const [collected] = await findCollected(db, apps);
  if (collected) {
    const { app, version, at } = collected;
    throw registryErrors.version_collected(
      `${versionName(app, version)}: its files were deleted at ${timeText(at)} by garbage collection.`,
    );
  }
  const manifests = Object.entries(apps).map(([app, version]): VersionManifest => {
    const manifest = found.get(versionName(app, version));
    if (!manifest) throw versionUnknown(app, version);
    return manifest;
  });
  const shell = manifests.find((manifest) => manifest.kind === 'shell');
  const remotes = manifests.filter((manifest) => manifest.kind === 'remote');
  if (!shell) {
    throw registryErrors.release_incomplete(`A release of ${Object.keys(apps).join(', ')} has no shell.`);
  }
  checkTogether({ shell, remotes });
  return { shell, remotes };
}

/** Whether a version can replace its app's in a live set. Properties of the set are computed once. */
export function fittingBeside(live: readonly VersionManifest[]): (manifest: VersionManifest) => boolean {
  const owners = indexOwners(live);
  const current = new Map(live.map((manifest) => [manifest.app, manifest]));
  const remotesWith = (manifest: VersionManifest) =>
    remotesIn([...live.filter(({ app }) => app !== manifest.app), manifest]);
  let loop: { found: string | null } | null = null;

  function closesLoop(manifest: VersionManifest): boolean {
    const before = current.get(manifest.app);
    if (!before || !haveSameRoutes(before, manifest)) return redirectLoop(remotesWith(manifest)) !== null;
    loop ??= { found: redirectLoop(remotesIn(live)) };
    return loop.found !== null;
  }

  return (manifest) => {
    const shell = manifest.kind === 'shell' ? manifest : current.get('shell');
    return (
      shell?.kind === 'shell' &&
      conflictsWith(manifest, owners).length === 0 &&
      !closesLoop(manifest) &&
      // The others already fit this shell, unless the shell is the one replaced.
      (manifest.kind === 'remote' ? [manifest] : remotesWith(manifest)).every(
        (remote) => unmetRanges(remote, shell).length === 0,
      )
    );
  };
}

function remotesIn(manifests: readonly VersionManifest[]): RemoteManifest[] {
  return manifests.filter((manifest) => manifest.kind === 'remote');
}

/**
 * A left-out remote keeps its paths, so that it can return.
 * @throws ApiError `path_taken`.
 */
export async function refuseTaken(db: RegistryDb, { remotes }: ReleaseSet, leftOut: AppSet): Promise<void> {
  const owners = indexOwners([...(await findManifests(db, Object.entries(leftOut))).values()]);
  const [conflict] = remotes.flatMap((remote) => conflictsWith(remote, owners));
  if (!conflict) return;
  const { claimant, path, owner } = conflict;
  throw registryErrors.path_taken(
    `${claimant} wants the path "${path}", which belongs to ${owner}. That remote is only left ` +
      'out, so the path stays its own.',
  );
}

function checkTogether({ shell, remotes }: ReleaseSet): void {
  const [conflict] = conflictsWithin(remotes);
  if (conflict) {
    throw registryErrors.path_taken(
      `${conflict.claimant} and ${conflict.owner} both answer the path "${conflict.path}".`,
    );
  }
  const loop = redirectLoop(remotes);
  if (loop !== null) {
    throw registryErrors.redirect_loop(`The redirect from "${loop}" never reaches a page of this release.`);
  }
  const unmet = remotes.flatMap((remote) => unmetRanges(remote, shell));
  if (unmet.length > 0) throw registryErrors.range_unmet(`${unmet.map(describeUnmetRange).join('; ')}.`);
}
