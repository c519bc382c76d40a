import { sql, type Transaction } from 'kysely';
import type { ChannelName, Release, SiteConfig } from '@site/contract';
import { ApiError } from '@site/server/api-error';
import { appendAudit } from '../database/audit.repository.ts';
import {
  formerVersions,
  insertRelease,
  lockChannel,
  releaseId,
  type FormerVersion,
  type StoredRelease,
} from '../database/release.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { findManifests } from '../database/version.repository.ts';
import { changedApps, type AppSet } from '../domain/app-set.ts';
import { digest } from '../domain/canonical-json.ts';
import { lastGoodVersion } from '../domain/last-good.ts';
import { unmetRanges } from '../domain/ranges.ts';
import { CHANNEL_CHANGED, type Actor, type RegistryContext } from './context.ts';
import { loadReleaseSet, type ReleaseSet } from './release-set.ts';
import { renderMissing } from './render-missing.ts';

/** A release that is to become a channel's stable one, made from the parent that its author saw. */
export interface ReleaseOrder {
  channel: ChannelName;
  kind: Release['kind'];
  parent: StoredRelease | null;
  apps: AppSet;
  config: SiteConfig;
  reason: string;
  actor: Actor;
}

/** What else a release changes, in the same transaction. */
export interface ReleaseSteps {
  /** Before the release is made: quarantines decide what counts as good. Throws when it must not be made any more. */
  before(transaction: Transaction<RegistryTables>): Promise<void>;
  /** After it was made, with the answer that its author will get. */
  after(transaction: Transaction<RegistryTables>, made: MadeRelease): Promise<void>;
}

export interface MadeRelease {
  release: Release;
  number: number;
  /** How many pages had to be rendered for it. */
  rendered: number;
  changes: AppChange[];
}

export interface AppChange {
  app: string;
  from: string | null;
  to: string | null;
}

/** What the steps before a transaction found no longer holds: the channel points at another release by now. */
export const PARENT_MOVED = Symbol('parent moved');

/**
 * Checks and renders a release outside of any transaction, which may take seconds, then appends it, moves the pointer,
 * writes the audit log and tells the edges in one transaction, if the parent is still the channel's stable release.
 *
 * @throws ApiError when the set cannot be live together or a page does not render. Nothing has changed then.
 */
export async function appendRelease(
  context: RegistryContext,
  order: ReleaseOrder,
  steps: ReleaseSteps,
): Promise<MadeRelease | typeof PARENT_MOVED> {
  const set = await loadReleaseSet(context.db, order.apps);
  const rendered = await renderMissing(context, set, order.config);
  if (order.kind !== 'rollback') await prepareRollbacks(context, set, order);

  return context.db.transaction().execute(async (transaction) => {
    const channel = await lockChannel(transaction, order.channel);
    if (channel.stable !== (order.parent?.number ?? null)) return PARENT_MOVED;
    await steps.before(transaction);

    const at = context.now();
    const { number, release } = await insertRelease(transaction, {
      channel: order.channel,
      kind: order.kind,
      apps: order.apps,
      lastGood: lastGoodVersions(set, await formerVersions(transaction, order.channel)),
      config: order.config,
      configDigest: digest(order.config),
      by: order.actor.name,
      reason: order.reason,
      at,
      parent: order.parent?.number ?? null,
    });
    await transaction
      .updateTable('channels')
      .set({ stable: number })
      .where('name', '=', order.channel)
      .execute();

    const changes = appChanges(order.parent?.release.apps ?? {}, order.apps);
    await appendAudit(transaction, {
      at,
      by: order.actor.name,
      action: `release.${order.kind}`,
      subject: releaseId(number),
      details: { channel: order.channel, parent: release.parent, changes, reason: order.reason },
    });
    const made = { release, number, rendered, changes };
    await steps.after(transaction, made);
    // Sent by the database when the transaction is committed, and not otherwise.
    await sql`select pg_notify(${CHANNEL_CHANGED}, ${order.channel})`.execute(transaction);
    return made;
  });
}

/**
 * Renders the last good versions in this shell and configuration too, so that a later rollback finds their pages and
 * renders nothing. One that does not render does not stop the release: it is the way back from something else.
 */
async function prepareRollbacks(
  context: RegistryContext,
  set: ReleaseSet,
  { channel, config }: ReleaseOrder,
): Promise<void> {
  const lastGood = lastGoodVersions(set, await formerVersions(context.db, channel));
  const manifests = await findManifests(context.db, Object.entries(lastGood));
  for (const manifest of manifests.values()) {
    if (manifest.kind !== 'remote') continue;
    await renderMissing(context, { shell: set.shell, remotes: [manifest] }, config).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError && error.code === 'page_not_rendered')) throw error;
      },
    );
  }
}

export function appChanges(before: AppSet, after: AppSet): AppChange[] {
  return changedApps(before, after).map((app) => ({
    app,
    from: before[app] ?? null,
    to: after[app] ?? null,
  }));
}

/** The version that the browser falls back to, for each remote that has one which fits this shell. */
function lastGoodVersions({ shell, remotes }: ReleaseSet, former: Map<string, FormerVersion[]>): AppSet {
  return Object.fromEntries(
    remotes.flatMap(({ app, version }) => {
      const history = former.get(app) ?? [];
      const fitsShell = (candidate: string) => {
        const requires = history.find((known) => known.version === candidate)?.requires ?? {};
        return unmetRanges({ app, version: candidate, requires }, shell).length === 0;
      };
      const lastGood = lastGoodVersion(version, history, fitsShell);
      return lastGood === null ? [] : [[app, lastGood]];
    }),
  );
}
