import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { FileEntry, VersionManifest } from '@site/contract';
import { inParallel } from '@site/contract/in-parallel';
import type { StoredRelease } from '../database/release.repository.ts';
import type { RegistryDb } from '../database/tables.ts';
import { findManifests, findTableManifests } from '../database/manifest.repository.ts';
import { findVersion, versionName } from '../database/version.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { manifestProblems } from '../domain/manifest-problems.ts';
import { pathConflicts } from '../domain/path-claims.ts';
import { describeUnmetRange, unmetRanges } from '../domain/ranges.ts';
import { registryErrors } from '../errors/registry-errors.ts';
import { checkBudgets, type BudgetCheck } from './check-budgets.ts';
import { checkPublishedForms } from './check-forms.ts';
import type { Command } from './command.ts';
import { accountOf } from '../access/actor.ts';
import { compressAssets } from './compressing.ts';

/** A version that is published, and what it is compared with. */
export interface Published {
  /** Without its source maps: anyone who sees a manifest could serve what it names. */
  manifest: VersionManifest;
  sourceMaps: FileEntry | null;
  /** Two builds of the same sources are the same version, though they were made at different times. */
  contentDigest: string;
  /** What is live; null when nothing is, or when the comparison is left to the activation. */
  live: StoredRelease | null;
}

/** What the checks found out. */
export interface CheckedVersion extends Published {
  /** What visitors see now. */
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
 * Whether this very version is recorded, with all its files.
 *
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

/**
 * First step of publishing: files, paths, ranges, forms and the sizes of what browsers load.
 *
 * @throws ApiError `blob_missing`, `blob_size_mismatch`, `path_taken`, `range_unmet`, `forms_unmet`, `budget_exceeded`.
 */
export async function checkVersion(
  { context, actor }: Command,
  published: Published,
): Promise<CheckedVersion> {
  const { manifest, live } = published;
  await requireBlobs(context.store, published);
  const compared = live ? await comparedManifests(context.db, live, manifest) : [];
  const liveManifests = compared.filter(({ isLive }) => isLive);
  compareWithLive(manifest, compared);
  const warning = live ? await checkPublishedForms(context, manifest, live.release.config) : null;
  await compressAssets(context, manifest, accountOf(actor));
  const together = [...liveManifests.filter(({ app }) => app !== manifest.app), manifest];
  const budgets = await checkBudgets(context.store, together, [manifest.app]);
  return { ...published, liveManifests, budgets, warnings: warning === null ? [] : [warning] };
}

/** All that must be in the store. */
export function filesOf({ manifest, sourceMaps }: Pick<Published, 'manifest' | 'sourceMaps'>): FileEntry[] {
  return [...manifest.assets, manifest.server, ...(sourceMaps ? [sourceMaps] : [])];
}

/** @throws ApiError `blob_missing`, `blob_size_mismatch`. */
export async function requireBlobs(store: ArtifactStore, published: Published): Promise<void> {
  const files = filesOf(published);
  const sizes = await inParallel(16, files, ({ integrity }) => store.sizeOf(integrity));
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
 * What of the live site a version is compared with: what visitors see, and (`isLeftOut`) what is left out for now. With a
 * shell all of it is rendered and weighed, and what browsers fall back to must fit, too. A remote shares with the others
 * only the shell and the table of the release.
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
