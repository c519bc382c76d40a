import { sql, type Transaction } from 'kysely';
import type { AppChange, CanaryShare, ChangeAnswer, ChannelName } from '@site/contract';
import { appendAudit, lockAuditLog } from '../database/audit.repository.ts';
import { lockChannel, movePointers, type ChannelSnapshot } from '../database/channel.repository.ts';
import { formerVersions } from '../database/live-version.repository.ts';
import { insertRelease, releaseId, type StoredRelease } from '../database/release.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { appChanges } from '../domain/app-set.ts';
import { digest } from '../domain/canonical-json.ts';
import { CHANNEL_CHANGED, type Actor, type RegistryContext } from './context.ts';
import { inTransaction } from './dry-run.ts';
import type { Answer, Remember } from './idempotency.ts';
import { lastGoodVersions } from './last-good-versions.ts';
import type { PreparedRelease } from './prepare-release.ts';

/** What becomes of the canary. One that runs cannot stay as it is when the stable release changes. */
export type CanaryStep =
  | { step: 'none' }
  | { step: 'start'; release: PreparedRelease; basisPoints: number }
  /** The same changes on top of the new stable release, for the same visitors. */
  | { step: 'carry'; release: PreparedRelease }
  | { step: 'end' };

export interface ChannelChange {
  actor: Actor;
  /** What everything was prepared for. */
  seen: ChannelSnapshot;
  /** The new stable release, or null to leave the one that is there. */
  stable: PreparedRelease | null;
  canary: CanaryStep;
  dryRun?: boolean | undefined;
  /**
   * What else changes, before the releases are made: quarantines decide what counts as good. Throws when the change must
   * not be made any more. @returns what the answer says of it.
   */
  before(transaction: Transaction<RegistryTables>, at: Date): Promise<Partial<ChangeAnswer>>;
  remember: Remember;
}

/** What the preparation found no longer holds: the channel points elsewhere by now. */
export const CHANNEL_MOVED = Symbol('channel moved');

/**
 * Makes prepared releases, moves the channel's pointers, writes the audit log, remembers the answer and tells the edges,
 * all in one transaction, if the channel still points where it pointed when the change was prepared.
 */
export async function changeChannel(
  context: RegistryContext,
  change: ChannelChange,
): Promise<Answer<ChangeAnswer> | typeof CHANNEL_MOVED> {
  const { seen, dryRun, remember } = change;
  return inTransaction(context.db, dryRun, async (transaction) => {
    if (await hasMoved(transaction, seen)) return CHANNEL_MOVED;
    await lockAuditLog(transaction);
    const at = context.now();
    const more = await change.before(transaction, at);
    const made = await makeReleases(transaction, change, at);
    const body: ChangeAnswer = { ...answerOf(change, made), ...more, ...(dryRun ? { dryRun } : {}) };
    const isNew = made.stable !== null || made.canary !== null;
    const answer = { status: isNew && !dryRun ? 201 : 200, body };
    await remember(transaction, answer);
    await tellEdges(transaction, seen.channel);
    return answer;
  });
}

/** Sent by the database when the transaction is committed, and not otherwise. */
export async function tellEdges(
  transaction: Transaction<RegistryTables>,
  channel: ChannelName,
): Promise<void> {
  await sql`select pg_notify(${CHANNEL_CHANGED}, ${channel})`.execute(transaction);
}

async function hasMoved(
  transaction: Transaction<RegistryTables>,
  { channel, stable, canary }: ChannelSnapshot,
): Promise<boolean> {
  const row = await lockChannel(transaction, channel);
  return row.stable !== (stable?.number ?? null) || row.candidate !== (canary?.number ?? null);
}

interface MadeReleases {
  stable: StoredRelease | null;
  canary: StoredRelease | null;
  /** The canary that runs afterwards. */
  candidate: CanaryShare | null;
}

async function makeReleases(
  transaction: Transaction<RegistryTables>,
  change: ChannelChange,
  at: Date,
): Promise<MadeReleases> {
  const { actor, seen, canary } = change;
  const make = releaseMaker(transaction, change, at);
  const audit = (action: string, subject: number, details: Record<string, unknown>) =>
    appendAudit(transaction, {
      at,
      by: actor.name,
      action,
      subject: releaseId(subject),
      details: { channel: seen.channel, ...details },
    });

  let stable: StoredRelease | null = null;
  if (change.stable) {
    stable = await make(change.stable, seen.stable, false);
    await movePointers(transaction, seen.channel, { stable: stable.number });
    await audit(`release.${change.stable.kind}`, stable.number, {
      ...historyOf(seen.stable, stable),
      ...(change.stable.kind === 'promote' && seen.canary ? { canary: seen.canary.release.id } : {}),
    });
  }
  const parent = stable ?? seen.stable;

  switch (canary.step) {
    case 'start': {
      const made = await make(canary.release, parent, true);
      const { basisPoints } = canary;
      await movePointers(transaction, seen.channel, {
        candidate: made.number,
        candidate_basis_points: basisPoints,
        candidate_first: made.number,
      });
      const share = basisPoints / 100;
      await audit('canary.started', made.number, { ...historyOf(parent, made), share });
      return { stable, canary: made, candidate: { release: made.release.id, share } };
    }
    case 'carry': {
      const made = await make(canary.release, parent, true);
      await movePointers(transaction, seen.channel, { candidate: made.number });
      await audit('canary.carried', made.number, {
        ...historyOf(parent, made),
        from: seen.canary?.release.id ?? null,
      });
      // Read again: the share may have been changed while this was prepared.
      const { candidate_basis_points: basisPoints } = await lockChannel(transaction, seen.channel);
      return {
        stable,
        canary: made,
        candidate: { release: made.release.id, share: (basisPoints ?? 0) / 100 },
      };
    }
    case 'end':
      await movePointers(transaction, seen.channel, {
        candidate: null,
        candidate_basis_points: null,
        candidate_first: null,
      });
      return { stable, canary: null, candidate: null };
    case 'none':
      return { stable, canary: null, candidate: null };
  }
}

function releaseMaker(
  transaction: Transaction<RegistryTables>,
  { actor, seen: { channel } }: ChannelChange,
  at: Date,
) {
  return async (
    { kind, apps, absent, config, reason, set }: PreparedRelease,
    parent: StoredRelease | null,
    asCandidate: boolean,
  ): Promise<StoredRelease> => {
    const former = await formerVersions(transaction, channel, Object.keys(apps));
    const lastGood = await lastGoodVersions(transaction, [set.shell, ...set.remotes], former);
    return insertRelease(transaction, {
      channel,
      kind,
      apps,
      absent,
      // Browsers fall back to remotes alone.
      lastGood: Object.fromEntries(
        lastGood.flatMap((manifest) =>
          manifest.kind === 'remote' ? [[manifest.app, manifest.version]] : [],
        ),
      ),
      config,
      configDigest: digest(config),
      by: actor.name,
      reason,
      at,
      parent: parent?.number ?? null,
      asCandidate,
    });
  };
}

/** What the audit log says about a release. */
function historyOf(parent: StoredRelease | null, made: StoredRelease): Record<string, unknown> {
  const { release, configDigest } = made;
  return {
    parent: release.parent,
    changes: changesBetween(parent, made),
    ...(parent && parent.configDigest !== configDigest
      ? { config: { from: parent.configDigest, to: configDigest } }
      : {}),
    reason: release.reason,
  };
}

function changesBetween(before: StoredRelease | null, after: StoredRelease | null): AppChange[] {
  return appChanges(before?.release.apps ?? {}, after?.release.apps ?? {});
}

function answerOf(change: ChannelChange, made: MadeReleases): ChangeAnswer {
  const { seen, stable, canary } = change;
  const about = made.stable ?? made.canary ?? seen.stable;
  if (!about) throw new Error(`Nothing changes on "${seen.channel}".`);
  const rendered = (stable?.rendered ?? 0) + ('release' in canary ? canary.release.rendered : 0);
  // A canary's end changes the site for those who saw it.
  const before = made.stable || made.canary ? seen.stable : seen.canary;
  return {
    release: about.release,
    changed: true,
    rendered,
    changes: changesBetween(before, about),
    candidate: made.candidate,
  };
}
