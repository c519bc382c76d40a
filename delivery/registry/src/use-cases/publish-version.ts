import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { FileEntry, VersionManifest } from '@site/contract';
import { appendAudit } from '../database/audit.repository.ts';
import { findStable } from '../database/release.repository.ts';
import {
  findManifests,
  findQuarantines,
  findVersion,
  insertAssets,
  insertVersion,
  versionName,
} from '../database/version.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { manifestProblems } from '../domain/manifest-problems.ts';
import { pathConflicts } from '../domain/path-claims.ts';
import { describeUnmetRange, unmetRanges } from '../domain/ranges.ts';
import { registryErrors } from '../errors.ts';
import { LIVE_CHANNEL, type Actor, type RegistryContext } from './context.ts';
import { inParallel } from './in-parallel.ts';

export interface PublishOptions {
  /**
   * Leaves the comparison with the live site to the activation. For versions that only make sense together, such as a
   * shell with a new major version of the kit and the remotes that need it.
   */
  deferLiveChecks: boolean;
}

export interface PublishAnswer {
  app: string;
  version: string;
  /** False when this very version was published before. */
  created: boolean;
  /** The version of the app that visitors see now. */
  live: string | null;
  /** Why this version was taken off the site before, if it was: activating it needs "force". */
  quarantined: { reason: string; by: string; at: string } | null;
}

/**
 * Records a version whose files are in the store already. Publishing makes nothing live.
 *
 * @throws ApiError `manifest_malformed`, `version_conflict`, `blob_missing`, `blob_size_mismatch`, `asset_conflict`,
 * `path_taken`, `range_unmet`.
 */
export async function publishVersion(
  context: RegistryContext,
  actor: Actor,
  manifest: VersionManifest,
  { deferLiveChecks }: PublishOptions,
): Promise<PublishAnswer> {
  refuseContradictions(manifest);
  const live = await liveManifests(context);
  const { app, version } = manifest;
  const [quarantine] = await findQuarantines(context.db, { [app]: version });
  const answer = {
    app,
    version,
    live: live.find((other) => other.isLive && other.app === app)?.version ?? null,
    quarantined: quarantine
      ? { reason: quarantine.reason, by: quarantine.by, at: quarantine.at.toISOString() }
      : null,
  };
  const contentDigest = digestOf(manifest);
  if (await isKnown(context, manifest, contentDigest)) return { ...answer, created: false };

  await requireBlobs(context.store, manifest);
  if (!deferLiveChecks) compareWithLive(manifest, live);

  const created = await context.db.transaction().execute(async (transaction) => {
    const taken = await insertAssets(transaction, manifest.app, manifest.assets);
    if (taken !== null) {
      throw registryErrors.asset_conflict(
        `"${taken}" of ${manifest.app} was published before with other contents.`,
      );
    }
    const publishedAt = context.now();
    const row = { manifest, contentDigest, publishedBy: actor.name, publishedAt };
    if (!(await insertVersion(transaction, row))) return false;
    await appendAudit(transaction, {
      at: publishedAt,
      by: actor.name,
      action: 'version.published',
      subject: versionName(manifest.app, manifest.version),
      details: { commit: manifest.commit },
    });
    return true;
  });
  return { ...answer, created };
}

function refuseContradictions(manifest: VersionManifest): void {
  const problems = manifestProblems(manifest);
  if (problems.length === 0) return;
  const list = problems.map(({ field, message }) => `"${field}" ${message}`).join(' ');
  throw registryErrors.manifest_malformed(`${versionName(manifest.app, manifest.version)}: ${list}`);
}

/** Two builds of the same sources are the same version, though they were made at different times. */
function digestOf(manifest: VersionManifest): string {
  return digest({ ...manifest, commit: null, builtAt: null });
}

async function isKnown(
  { db }: RegistryContext,
  manifest: VersionManifest,
  contentDigest: string,
): Promise<boolean> {
  const known = await findVersion(db, manifest.app, manifest.version);
  if (known && known.content_digest !== contentDigest) {
    throw registryErrors.version_conflict(
      `${versionName(manifest.app, manifest.version)} was published before with other contents.`,
    );
  }
  return known !== undefined;
}

async function requireBlobs(store: ArtifactStore, manifest: VersionManifest): Promise<void> {
  const files = [...manifest.assets, manifest.server];
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

type LiveManifest = VersionManifest & { isLive: boolean };

/** What visitors see, and (`isLive: false`) what they fall back to. */
async function liveManifests({ db }: RegistryContext): Promise<LiveManifest[]> {
  const stable = await findStable(db, LIVE_CHANNEL);
  if (!stable) return [];
  const { apps, lastGood } = stable.release;
  const manifests = await findManifests(db, [...Object.entries(apps), ...Object.entries(lastGood)]);
  return [...manifests.values()].map((manifest) => ({
    ...manifest,
    isLive: apps[manifest.app] === manifest.version,
  }));
}

function compareWithLive(manifest: VersionManifest, live: readonly LiveManifest[]): void {
  const current = live.filter(({ isLive }) => isLive);
  const [conflict] = pathConflicts(manifest, current);
  if (conflict) {
    throw registryErrors.path_taken(
      `${conflict.claimant} wants the path "${conflict.path}", which ${conflict.owner} answers on the live site.`,
    );
  }
  const unmet =
    manifest.kind === 'shell'
      ? live.flatMap((other) => (other.kind === 'remote' ? unmetRanges(other, manifest) : []))
      : current.flatMap((other) => (other.kind === 'shell' ? unmetRanges(manifest, other) : []));
  if (unmet.length > 0) throw registryErrors.range_unmet(`${unmet.map(describeUnmetRange).join('; ')}.`);
}
