import type { Transaction } from 'kysely';
import type { ChannelName, RemoteManifest, ShellManifest } from '@site/contract';
import { appendAudit } from '../database/audit.repository.ts';
import {
  findStable,
  formerVersions,
  lockChannel,
  releaseId,
  releasesWith,
  type FormerVersion,
  type StoredRelease,
} from '../database/release.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { findManifests, findQuarantines, findVersion, versionName } from '../database/version.repository.ts';
import { applyChanges } from '../domain/app-set.ts';
import { lastGoodVersion } from '../domain/last-good.ts';
import { unmetRanges } from '../domain/ranges.ts';
import { registryErrors } from '../errors.ts';
import { appendRelease, PARENT_MOVED, type MadeRelease } from './append-release.ts';
import type { Actor, RegistryContext } from './context.ts';
import type { ReleaseAnswer } from './create-release.ts';
import type { Answer, Remember } from './idempotency.ts';

export interface RollbackRequest {
  app: string;
  /** The version to put back; by default the last good one. */
  to?: string | undefined;
  /** The version that the author wants gone; refused when another one is live by now. */
  from?: string | undefined;
  reason: string;
  /** Allows a quarantined `to`, and lifts its quarantine. */
  force?: boolean | undefined;
}

export interface RollbackAnswer extends ReleaseAnswer {
  quarantined: { app: string; version: string };
  /** The releases that open tabs leave at their next navigation. */
  revoked: string[];
}

/**
 * Puts one app back to a version that was good: a new release with that version, the bad version quarantined, and
 * every release that holds it revoked. A canary that holds it ends.
 */
export async function rollBack(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: RollbackRequest,
  remember: Remember,
): Promise<Answer> {
  let bad = request.from;
  for (;;) {
    const parent = await findStable(context.db, channel);
    const live = liveVersion(channel, parent, request.app);
    // Once decided, the version that goes stays the same, however often this starts again.
    bad ??= live.version;
    if (live.version !== bad) {
      throw registryErrors.version_not_live(
        `${versionName(request.app, bad)} is not live on "${channel}": ${versionName(request.app, live.version)} is.`,
      );
    }
    const to = request.to ?? (await findLastGood(context, channel, live.parent, request.app));
    await checkTarget(context, { ...request, to, bad });

    const { parent: from, version } = live;
    const order = {
      channel,
      kind: 'rollback' as const,
      parent: from,
      apps: applyChanges(from.release.apps, { [request.app]: to }),
      config: from.release.config,
      reason: request.reason,
      actor,
    };
    let revoked: number[] = [];
    const made = await appendRelease(context, order, {
      async before(transaction) {
        revoked = await banish(context, transaction, { actor, channel, request, bad: version, to });
      },
      after: (transaction, release) =>
        remember(transaction, answerOf(release, request.app, version, revoked)),
    });
    if (made !== PARENT_MOVED) return answerOf(made, request.app, version, revoked);
  }
}

function answerOf(
  { release, rendered, changes }: MadeRelease,
  app: string,
  version: string,
  revoked: number[],
): Answer {
  const body: RollbackAnswer = {
    release,
    changed: true,
    rendered,
    changes,
    quarantined: { app, version },
    revoked: revoked.map(releaseId),
  };
  return { status: 201, body };
}

function liveVersion(channel: ChannelName, parent: StoredRelease | null, app: string) {
  const version = parent?.release.apps[app];
  if (!parent || version === undefined) {
    const known = Object.keys(parent?.release.apps ?? {}).join(', ') || 'none';
    throw registryErrors.app_unknown(`"${app}" is not live on "${channel}"; the live apps are: ${known}.`);
  }
  return { parent, version };
}

/** The last version of the app that was live before, is not quarantined and fits what else is live. */
async function findLastGood(
  { db }: RegistryContext,
  channel: ChannelName,
  { release }: StoredRelease,
  app: string,
): Promise<string> {
  const history = (await formerVersions(db, channel)).get(app) ?? [];
  const others = await findManifests(
    db,
    Object.entries(release.apps).filter(([name]) => name !== app),
  );
  const shell = [...others.values()].find((manifest) => manifest.kind === 'shell');
  const remotes = [...others.values()].filter((manifest) => manifest.kind === 'remote');
  const version = lastGoodVersion(release.apps[app] ?? '', history, (candidate) => {
    const former = history.find((known) => known.version === candidate);
    return former !== undefined && fits(app, former, shell, remotes);
  });
  if (version === null) {
    throw registryErrors.no_good_version(
      `No other version of ${app} that fits the live apps and is not quarantined was ever live on "${channel}".`,
    );
  }
  return version;
}

function fits(
  app: string,
  { version, requires, provides }: FormerVersion,
  shell: ShellManifest | undefined,
  remotes: readonly RemoteManifest[],
): boolean {
  if (provides) return remotes.every((remote) => unmetRanges(remote, { provides }).length === 0);
  return shell !== undefined && unmetRanges({ app, version, requires: requires ?? {} }, shell).length === 0;
}

async function checkTarget(
  { db }: RegistryContext,
  { app, to, bad, force }: { app: string; to: string; bad: string; force?: boolean | undefined },
): Promise<void> {
  if (to === bad) {
    throw registryErrors.no_good_version(`${versionName(app, to)} is the version that is live now.`);
  }
  if (!(await findVersion(db, app, to))) {
    throw registryErrors.version_unknown(`There is no version ${versionName(app, to)}.`);
  }
  const [quarantine] = force ? [] : await findQuarantines(db, { [app]: to });
  if (quarantine) {
    throw registryErrors.version_quarantined(
      `${versionName(app, to)} was quarantined by ${quarantine.by}: "${quarantine.reason}".`,
    );
  }
}

interface Banishment {
  actor: Actor;
  channel: ChannelName;
  request: RollbackRequest;
  bad: string;
  to: string;
}

/** Quarantines the bad version, revokes what holds it, ends a canary that holds it. @returns the revoked releases. */
async function banish(
  context: RegistryContext,
  transaction: Transaction<RegistryTables>,
  { actor, channel, request: { app, reason, force }, bad, to }: Banishment,
): Promise<number[]> {
  await checkTarget({ ...context, db: transaction }, { app, to, bad, force });
  const at = context.now();
  const by = actor.name;
  await transaction.deleteFrom('quarantines').where('app', '=', app).where('version', '=', to).execute();
  await transaction
    .insertInto('quarantines')
    .values({ app, version: bad, reason, by, at })
    .onConflict((conflict) => conflict.columns(['app', 'version']).doUpdateSet({ reason, by, at }))
    .execute();
  await appendAudit(transaction, {
    at,
    by,
    action: 'version.quarantined',
    subject: versionName(app, bad),
    details: { reason },
  });

  const revoked = await releasesWith(transaction, channel, app, bad);
  await transaction
    .insertInto('revocations')
    .values(revoked.map((release) => ({ release, reason, by, at })))
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  const { candidate } = await lockChannel(transaction, channel);
  if (candidate !== null && revoked.includes(candidate)) {
    await transaction
      .updateTable('channels')
      .set({ candidate: null, candidate_basis_points: null })
      .where('name', '=', channel)
      .execute();
  }
  return revoked;
}
