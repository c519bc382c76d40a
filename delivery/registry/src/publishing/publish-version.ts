import type { PublishAnswer, VersionManifest } from '@site/contract';
import type { Provenance } from '@site/contract/provenance';
import { findToken } from '../access/index.ts';
import { findLive, findQuarantines, quarantined, repairPages } from '../channels/index.ts';
import { recordBlobs, packFiles, checkReserved } from '../versions/index.ts';
import {
  checkVersion,
  uploadedFiles,
  isPublished,
  type Published,
  readVersion,
  requireBlobs,
} from './check-version.ts';
import type { Command } from '../kernel/command.ts';
import { compressAssets } from '../kernel/compressing.ts';
import { actorQueue } from '../kernel/actor.ts';
import { LIVE_CHANNEL } from '../kernel/context.ts';
import { examineBlobs } from '../kernel/blob-protection.ts';
import { recordAgain, recordVersion } from './record-version.ts';
import { renderVersion } from './render-version.ts';

export interface PublishRequest {
  /**
   * Defers comparison, rendering and measuring against the live site to the activation. For versions that only work
   * together, such as a shell with a new major version of the kit and its remotes.
   */
  deferLiveChecks: boolean;
  /** Provenance claimed by the author. A pipeline's issuer takes precedence. */
  claimed: { repository: string | undefined; run: string | undefined };
}

/** Nothing becomes live. A dry run performs all checks, even for an existing version, and records nothing. */
export async function publishVersion(
  command: Command,
  sent: VersionManifest,
  { deferLiveChecks, claimed }: PublishRequest,
): Promise<PublishAnswer> {
  const { db } = command.context;
  const { dryRun } = command;
  const live = await findLive(db, LIVE_CHANNEL);
  const published = readVersion(sent, deferLiveChecks ? null : live);
  const { manifest } = published;
  const { app, version } = manifest;
  const [quarantine] = await findQuarantines(db, { [app]: version });
  const answer = {
    app,
    version,
    live: live?.release.apps[app] ?? null,
    quarantined: quarantined(quarantine),
    dryRun,
  };
  const provenance = await findProvenance(command, manifest, claimed);
  const isKnown = await isPublished(db, published);
  if (isKnown && !dryRun) {
    await repairVersion(command, published, provenance);
    const checked = { rendered: 0, documents: [], budgets: [], warnings: [] };
    return { ...answer, checked, created: false };
  }
  const checked = await checkVersion(command, published);
  const toReserve = await checkReserved(db, command.actor, manifest);
  const rendered = await renderVersion(command, checked, isKnown);
  const pack = await packFiles(command.context.store, manifest);
  const isNew = await recordVersion(command, published, { pack, pages: rendered.pages, provenance });
  const found = {
    rendered: rendered.count,
    documents: rendered.documents,
    budgets: [...checked.budgets, ...rendered.budgets],
    warnings: checked.warnings,
  };
  const reserved = toReserve ? { reserved: toReserve.added } : {};
  return { ...answer, checked: found, created: isNew && !dryRun, ...reserved };
}

/** Publishing again repairs missing or damaged files, whether or not the store was verified. */
async function repairVersion(
  command: Command,
  published: Published,
  provenance: Provenance | null,
): Promise<void> {
  const { context, actor } = command;
  const { manifest, sourceMaps } = published;
  const files = uploadedFiles(published).map(({ integrity }) => integrity);
  await examineBlobs(context.store, [...new Set(files)], () => undefined);
  await requireBlobs(context.store, published);
  await compressAssets(context, manifest, actorQueue(actor));
  const pack = await packFiles(context.store, manifest);
  await recordBlobs(context.db, manifest, { pack, sourceMaps });
  await repairPages(context, manifest);
  await recordAgain(command, manifest, provenance);
}

async function findProvenance(
  { context, actor }: Command,
  { commit }: VersionManifest,
  claimed: PublishRequest['claimed'],
): Promise<Provenance | null> {
  const verified = (await findToken(context.db, actor.tokenId))?.provenance;
  if (verified) return verified;
  const { repository = null, run = null } = claimed;
  if ((repository ?? commit ?? run) === null) return null;
  return { verified: false, repository, commit, ref: null, run, issuer: null, subject: null };
}
