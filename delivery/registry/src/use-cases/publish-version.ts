import type { Kysely, Transaction } from 'kysely';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { FileEntry, PublishAnswer, VersionManifest } from '@site/contract';
import { inParallel } from '@site/server/in-parallel';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { findStable, type StoredRelease } from '../database/release.repository.ts';
import { forgetRendered, insertRendered } from '../database/rendered-page.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import {
  findManifests,
  findQuarantines,
  findVersion,
  insertAssets,
  insertVersion,
  makeNewest,
  restoreVersion,
  versionName,
} from '../database/version.repository.ts';
import { digest } from '../domain/canonical-json.ts';
import { manifestProblems } from '../domain/manifest-problems.ts';
import { pathConflicts } from '../domain/path-claims.ts';
import { describeUnmetRange, unmetRanges } from '../domain/ranges.ts';
import { registryErrors } from '../errors.ts';
import { checkBudgets, type BudgetCheck } from './check-budgets.ts';
import { checkPublishedForms } from './check-forms.ts';
import { compressAssets } from './compressing.ts';
import { examineBlobs } from './examine-blobs.ts';
import { LIVE_CHANNEL, type Actor, type RegistryContext } from './context.ts';
import { inTransaction } from './dry-run.ts';
import { refuseOverQuota } from './limits.ts';
import { mendPages } from './mend-pages.ts';
import type { ReleaseSet } from './release-set.ts';
import { findRenderedOf, renderMissing, renderUnrecorded, type RenderedSet } from './render-missing.ts';
import { weighDocuments, type WeighedDocument } from './weigh-documents.ts';

export interface PublishOptions {
  /**
   * Leaves the comparison with the live site, rendering with it and weighing to the activation, which does all of it. For versions that only make
   * sense together, such as a shell with a new major version of the kit and the remotes that need it.
   */
  deferLiveChecks: boolean;
  /** Checks everything, also for a version that exists, and records nothing. */
  dryRun: boolean;
}

/**
 * Records a version whose files are in the store already. Publishing makes nothing live.
 *
 * @throws ApiError `manifest_malformed`, `version_conflict`, `blob_missing`, `blob_size_mismatch`, `asset_conflict`,
 * `path_taken`, `range_unmet`, `forms_unmet`, `budget_exceeded`, `page_not_rendered`.
 */
export async function publishVersion(
  context: RegistryContext,
  actor: Actor,
  manifest: VersionManifest,
  { deferLiveChecks, dryRun }: PublishOptions,
): Promise<PublishAnswer> {
  refuseContradictions(manifest);
  const stable = await findStable(context.db, LIVE_CHANNEL);
  const { app, version } = manifest;
  const [quarantine] = await findQuarantines(context.db, { [app]: version });
  const answer = {
    app,
    version,
    live: stable?.release.apps[app] ?? null,
    quarantined: quarantine
      ? { reason: quarantine.reason, by: quarantine.by, at: quarantine.at.toISOString() }
      : null,
    checked: {
      rendered: 0,
      documents: [] as WeighedDocument[],
      budgets: [] as BudgetCheck[],
      warnings: [] as string[],
    },
    dryRun,
  };
  const contentDigest = digestOf(manifest);
  const isKnown = await isPublished(context.db, manifest, contentDigest);
  if (isKnown && !dryRun) {
    // Publishing again repairs what an edge could not use, whether anybody has looked through the store or not.
    await examineBlobs(context.store, integritiesOf(manifest), () => undefined);
    await requireBlobs(context.store, manifest);
    await compressAssets(context, manifest, actor.tokenId);
    await mendPages(context, manifest);
    await publishAgain(context, actor, manifest);
    return { ...answer, created: false };
  }

  await requireBlobs(context.store, manifest);
  const live = deferLiveChecks ? [] : await liveManifests(context, stable, manifest);
  const current = live.filter(({ isLive }) => isLive);
  compareWithLive(manifest, live);
  if (!deferLiveChecks && stable) {
    const warning = await checkPublishedForms(context, manifest, stable.release.config);
    if (warning !== null) answer.checked.warnings.push(warning);
  }
  await compressAssets(context, manifest, actor.tokenId);
  const together = [...current.filter((other) => other.app !== app), manifest];
  answer.checked.budgets = await checkBudgets(context.store, together, [app]);
  const shown = deferLiveChecks || !stable ? null : withLive(manifest, current);
  let rendered: RenderedSet | null = null;
  if (shown && stable) {
    const { config } = stable.release;
    if (isKnown) answer.checked.rendered = await renderMissing(context, shown, config);
    else {
      rendered = await renderUnrecorded(context, shown, config);
      answer.checked.rendered = rendered.remotes.reduce((sum, { entries }) => sum + entries.length, 0);
    }
    const entries = rendered
      ? rendered.remotes.flatMap((remote) => remote.entries)
      : await findRenderedOf(context, shown, config);
    const remotes = together.filter((other) => other.kind === 'remote');
    const weight = await weighDocuments(
      context,
      { shell: shown.shell, remotes },
      shown.remotes,
      config,
      entries,
      actor.tokenId,
    );
    answer.checked.documents = weight.documents;
    answer.checked.budgets.push(...weight.budgets);
  }

  const isNew = await inTransaction(context.db, dryRun, (transaction) =>
    record(context, transaction, actor, manifest, contentDigest, rendered),
  );
  return { ...answer, created: isNew && !dryRun };
}

/** Nothing new is recorded, but "the version that was published last" is this one from now on. */
async function publishAgain(
  { db, now }: RegistryContext,
  actor: Actor,
  { app, version, commit }: VersionManifest,
): Promise<void> {
  const at = now();
  await db.transaction().execute(async (transaction) => {
    // Before the version's row, as a change of a channel does: in another order the two would wait for each other.
    await lockAuditLog(transaction);
    if (!(await makeNewest(transaction, { app, version, by: actor.name, at }))) return;
    await appendAudit(transaction, {
      at,
      by: actor.name,
      action: 'version.published',
      subject: versionName(app, version),
      details: { commit, again: true },
    });
  });
}

async function record(
  context: RegistryContext,
  transaction: Transaction<RegistryTables>,
  actor: Actor,
  manifest: VersionManifest,
  contentDigest: string,
  rendered: RenderedSet | null,
): Promise<boolean> {
  const taken = await insertAssets(transaction, manifest.app, manifest.assets);
  if (taken !== null) {
    throw registryErrors.asset_conflict(
      `"${taken}" of ${manifest.app} was published before with other contents.`,
    );
  }
  // Before the version's row: see `publishAgain`.
  await lockAuditLog(transaction);
  const publishedAt = context.now();
  const row = { manifest, contentDigest, publishedBy: actor.name, publishedAt };
  const isNew = (await insertVersion(transaction, row)) || (await restoreVersion(transaction, row));
  if (isNew) await refuseOverQuota(transaction, manifest.app, context.limits);
  else {
    // Someone else may have published other contents under this id since we looked.
    await isPublished(transaction, manifest, contentDigest);
    return false;
  }
  await indexRendered(transaction, manifest, rendered, publishedAt);
  await appendAudit(transaction, {
    at: publishedAt,
    by: actor.name,
    action: 'version.published',
    subject: versionName(manifest.app, manifest.version),
    details: { commit: manifest.commit },
  });
  return true;
}

/**
 * In the transaction that records the version: the index never has a page of a version that is not recorded, nor one that
 * was rendered from other contents.
 */
async function indexRendered(
  transaction: Transaction<RegistryTables>,
  manifest: VersionManifest,
  rendered: RenderedSet | null,
  at: Date,
): Promise<void> {
  await forgetRendered(transaction, manifest);
  if (!rendered) return;
  const { context, remotes } = rendered;
  for (const { version, entries } of remotes) {
    await insertRendered(transaction, context, version, entries, { lost: new Set(), at });
  }
}

/** The version as visitors would see it if it was activated now: a shell with the pages of every remote. */
function withLive(manifest: VersionManifest, live: readonly VersionManifest[]): ReleaseSet | null {
  if (manifest.kind === 'shell') {
    return { shell: manifest, remotes: live.filter((other) => other.kind === 'remote') };
  }
  const shell = live.find((other) => other.kind === 'shell');
  return shell ? { shell, remotes: [manifest] } : null;
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

/**
 * Whether this very version is recorded, with all its files.
 *
 * @throws ApiError `version_conflict`.
 */
async function isPublished(
  db: Kysely<RegistryTables>,
  manifest: VersionManifest,
  contentDigest: string,
): Promise<boolean> {
  const known = await findVersion(db, manifest.app, manifest.version);
  if (known && known.content_digest !== contentDigest) {
    throw registryErrors.version_conflict(
      `${versionName(manifest.app, manifest.version)} was published before with other contents.`,
    );
  }
  return known !== undefined && known.collected_at === null;
}

function integritiesOf({ assets, server }: VersionManifest): string[] {
  return [...new Set([...assets, server].map(({ integrity }) => integrity))];
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

type LiveManifest = VersionManifest & { isLive: boolean; isAbsent: boolean };

/**
 * What of the live site a version is compared with: what visitors see, and (`isAbsent`) what is left out for now. With a
 * shell all of it is rendered and weighed, and what browsers fall back to must fit, too. A remote shares with the others
 * only the shell and the table of the release.
 */
async function liveManifests(
  { db }: RegistryContext,
  stable: StoredRelease | null,
  { kind }: VersionManifest,
): Promise<LiveManifest[]> {
  if (!stable) return [];
  const { apps, lastGood, absent = {} } = stable.release;
  const { shell = '', ...remotes } = apps;
  const others = [...Object.entries(remotes), ...Object.entries(absent)];
  const manifests =
    kind === 'shell'
      ? [...(await findManifests(db, [['shell', shell], ...others, ...Object.entries(lastGood)])).values()]
      : [
          ...(await findManifests(db, [['shell', shell]])).values(),
          ...(await findManifests(db, others, { filesOfTable: true })).values(),
        ];
  return manifests.map((manifest) => ({
    ...manifest,
    isLive: apps[manifest.app] === manifest.version,
    isAbsent: absent[manifest.app] === manifest.version,
  }));
}

function compareWithLive(manifest: VersionManifest, live: readonly LiveManifest[]): void {
  const current = live.filter(({ isLive }) => isLive);
  const owners = live.filter(({ isLive, isAbsent }) => isLive || isAbsent);
  const [conflict] = pathConflicts(manifest, owners);
  if (conflict) {
    throw registryErrors.path_taken(
      `${conflict.claimant} wants the path "${conflict.path}", which belongs to ${conflict.owner} on the live site.`,
    );
  }
  const unmet =
    manifest.kind === 'shell'
      ? live.flatMap((other) =>
          other.kind === 'remote' && !other.isAbsent ? unmetRanges(other, manifest) : [],
        )
      : current.flatMap((other) => (other.kind === 'shell' ? unmetRanges(manifest, other) : []));
  if (unmet.length > 0) throw registryErrors.range_unmet(`${unmet.map(describeUnmetRange).join('; ')}.`);
}
