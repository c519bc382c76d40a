import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { FileEntry, VersionManifest } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import type { StoredRelease } from '../channels/index.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import {
  findManifests,
  findPrivateBlobs,
  findTableManifests,
  findVersion,
  versionName,
  manifestProblems,
  pathConflicts,
  describeUnmetRange,
  unmetRanges,
  checkBudgets,
  type BudgetCheck,
  checkPublishedForms,
} from '../versions/index.ts';
import { digest } from '../kernel/canonical-json.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import { checkIsolation } from './check-isolation.ts';
import type { Command } from '../kernel/command.ts';
import { actorQueue } from '../kernel/actor.ts';
import { compressAssets } from '../kernel/compressing.ts';

export interface Published {
  /** Without source maps: they would be public to any reader of the manifest. */
  manifest: VersionManifest;
  sourceMaps: FileEntry | null;
  /** Ignores the build time, so that two builds of the same sources are the same version. */
  contentDigest: string;
  /** Null if nothing is live, or if the comparison is deferred to the activation. */
  live: StoredRelease | null;
}

export interface CheckedVersion extends Published {
  liveManifests: VersionManifest[];
  budgets: BudgetCheck[];
  warnings: string[];
}

/** @throws ApiError `manifest_malformed`. */
export function readVersion(
  { sourceMaps, ...manifest }: VersionManifest,
  live: StoredRelease | null,
): Published {
  const problems = manifestProblems(manifest);
  if (problems.length > 0) {
    const list = problems.map(({ field, message }) => `"${field}" ${message}`).join(' ');
    throw registryErrors.manifest_malformed(`${versionName(manifest.app, manifest.version)}: ${list}`);
  }
  const contentDigest = digest({ ...manifest, commit: null, builtAt: null });
  return { manifest, sourceMaps: sourceMaps ?? null, contentDigest, live };
}

/**
 * Whether this exact version is recorded, with all its files.
 * @throws ApiError `version_conflict`.
 */
export async function isPublished(
  db: RegistryDb,
  { manifest: { app, version }, contentDigest }: Published,
): Promise<boolean> {
  const known = await findVersion(db, app, version);
  if (known && known.content_digest !== contentDigest) {
    throw registryErrors.version_conflict(
      `${versionName(app, version)} was published before with other contents.`,
    );
  }
  return known !== undefined && known.collected_at === null;
}

export async function checkVersion(
  { context, actor }: Command,
  published: Published,
): Promise<CheckedVersion> {
  const { manifest, live } = published;
  await requireBlobs(context.store, published);
  await refusePrivateBlobs(context.db, manifest);
  const compared = live ? await comparedManifests(context.db, live, manifest) : [];
  const liveManifests = compared.filter(({ isLive }) => isLive);
  compareWithLive(manifest, compared);
  const warning = live ? await checkPublishedForms(context, manifest, live.release.config) : null;
  await compressAssets(context, manifest, actorQueue(actor));
  const together = [...liveManifests.filter(({ app }) => app !== manifest.app), manifest];
  const budgets = await checkBudgets(context.store, together, [manifest.app]);
  await checkIsolation(context.store, manifest, liveManifests);
  return { ...published, liveManifests, budgets, warnings: warning === null ? [] : [warning] };
}

export function uploadedFiles({
  manifest,
  sourceMaps,
}: Pick<Published, 'manifest' | 'sourceMaps'>): FileEntry[] {
  return [...manifest.assets, manifest.server, ...(sourceMaps ? [sourceMaps] : [])];
}

/** A hash proves no possession: without this, assets would publish other teams' server bundles and source maps. */
async function refusePrivateBlobs(db: RegistryDb, { app, assets }: VersionManifest): Promise<void> {
  const owned = await findPrivateBlobs(
    db,
    app,
    assets.map(({ integrity }) => integrity),
  );
  const taken = assets.filter(({ integrity }) => owned.has(integrity));
  if (taken.length > 0)
    throw registryErrors.blob_private(
      `Private files of other apps are among the assets: ${shortList(taken)}.`,
    );
}

/** @throws ApiError `blob_missing`, `blob_size_mismatch`. */
export async function requireBlobs(store: ArtifactStore, published: Published): Promise<void> {
  const files = uploadedFiles(published);
  const sizes = await inParallel(16, files, ({ integrity }) => store.blobSize(integrity));
  const missing = files.filter((_, index) => sizes[index] === null);
  if (missing.length > 0) {
    throw registryErrors.blob_missing(
      `${missing.length} of ${files.length} files are missing: ${shortList(missing)}.`,
    );
  }
  const wrong = files.filter(({ size }, index) => sizes[index] !== size);
  if (wrong.length > 0) {
    throw registryErrors.blob_size_mismatch(`The manifest has the wrong size for: ${shortList(wrong)}.`);
  }
}

function shortList(files: readonly FileEntry[]): string {
  const shown = files.slice(0, 5).map(({ path }) => path);
  return [...shown, ...(files.length > shown.length ? [`and ${files.length - shown.length} more`] : [])].join(
    ', ',
  );
}

type ComparedManifest = VersionManifest & { isLive: boolean; isLeftOut: boolean };

/**
 * The live versions that a new one is compared with, including apps that are left out (`isLeftOut`). A shell is
 * rendered and measured with all of them, and must fit fallback versions as well. A remote depends only on the shell
 * and the release's table.
 */
async function comparedManifests(
  db: RegistryDb,
  { release }: StoredRelease,
  { kind }: VersionManifest,
): Promise<ComparedManifest[]> {
  const { apps, lastGood, leftOut = {} } = release;
  const { shell = '', ...remotes } = apps;
  const others = [...Object.entries(remotes), ...Object.entries(leftOut)];
  const manifests =
    kind === 'shell'
      ? [...(await findManifests(db, [['shell', shell], ...others, ...Object.entries(lastGood)])).values()]
      : [
          ...(await findManifests(db, [['shell', shell]])).values(),
          ...(await findTableManifests(db, others)).values(),
        ];
  return manifests.map((manifest) => ({
    ...manifest,
    isLive: apps[manifest.app] === manifest.version,
    isLeftOut: leftOut[manifest.app] === manifest.version,
  }));
}

function compareWithLive(manifest: VersionManifest, compared: readonly ComparedManifest[]): void {
  const current = compared.filter(({ isLive }) => isLive);
  const owners = compared.filter(({ isLive, isLeftOut }) => isLive || isLeftOut);
  const [conflict] = pathConflicts(manifest, owners);
  if (conflict) {
    throw registryErrors.path_taken(
      `${conflict.claimant} wants the path "${conflict.path}", which belongs to ${conflict.owner} on the live site.`,
    );
  }
  const unmet =
    manifest.kind === 'shell'
      ? compared.flatMap((other) =>
          other.kind === 'remote' && !other.isLeftOut ? unmetRanges(other, manifest) : [],
        )
      : current.flatMap((other) => (other.kind === 'shell' ? unmetRanges(manifest, other) : []));
  if (unmet.length > 0) throw registryErrors.range_unmet(`${unmet.map(describeUnmetRange).join('; ')}.`);
}
