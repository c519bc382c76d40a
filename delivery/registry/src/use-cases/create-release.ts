import type { Transaction } from 'kysely';
import type { ChannelName, Release, SiteConfig } from '@site/contract';
import { appendAudit } from '../database/audit.repository.ts';
import { findStable, type StoredRelease } from '../database/release.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { findQuarantines, versionName } from '../database/version.repository.ts';
import { applyChanges, changedApps, type AppSet } from '../domain/app-set.ts';
import { digest } from '../domain/canonical-json.ts';
import { registryErrors } from '../errors.ts';
import {
  appChanges,
  appendRelease,
  PARENT_MOVED,
  type AppChange,
  type ReleaseOrder,
} from './append-release.ts';
import type { Actor, RegistryContext } from './context.ts';
import type { Answer, Remember } from './idempotency.ts';

export interface ReleaseRequest {
  /** The versions to make live; all other apps stay as they are. */
  apps: AppSet;
  config?: SiteConfig | undefined;
  reason: string;
  /** The release that the author saw; when the channel has moved on since, the request is refused. */
  parent?: string | undefined;
  /** Activates quarantined versions too, and lifts their quarantine. */
  force?: boolean | undefined;
}

/** The answer to a change of a channel. */
export interface ReleaseAnswer {
  release: Release;
  /** False when everything asked for was live already: no release was made. */
  changed: boolean;
  rendered: number;
  changes: AppChange[];
}

/**
 * Makes versions live. Without `parent` the request is taken to mean "on top of whatever is live": when others change
 * other apps at the same time, it is made anew on top of theirs.
 */
export async function createRelease(
  context: RegistryContext,
  actor: Actor,
  channel: ChannelName,
  request: ReleaseRequest,
  remember: Remember,
): Promise<Answer> {
  const seen = await findStable(context.db, channel);
  if (request.parent !== undefined && request.parent !== seen?.release.id) {
    throw parentOutdated(request.parent, seen, null);
  }
  for (let parent = seen; ; parent = await findStable(context.db, channel)) {
    if (parent !== seen && parent?.number !== seen?.number) checkMayRebase(request, seen, parent);
    const order = orderOf(actor, channel, request, parent);
    if (parent && changesNothing(order, parent)) {
      return { status: 200, body: { release: parent.release, changed: false, rendered: 0, changes: [] } };
    }
    const changing = changingVersions(order);
    await refuseQuarantined(context.db, changing, request);
    const made = await appendRelease(context, order, {
      before: (transaction) => liftQuarantines(context, transaction, actor, changing, request),
      after: (transaction, release) => remember(transaction, answerOf(release)),
    });
    if (made !== PARENT_MOVED) return answerOf(made);
  }
}

function answerOf({ release, rendered, changes }: Omit<ReleaseAnswer, 'changed'>): Answer {
  return { status: 201, body: { release, changed: true, rendered, changes } satisfies ReleaseAnswer };
}

function orderOf(
  actor: Actor,
  channel: ChannelName,
  { apps, config: wanted, reason }: ReleaseRequest,
  parent: StoredRelease | null,
): ReleaseOrder {
  const config = wanted ?? parent?.release.config;
  if (!config) {
    throw registryErrors.release_incomplete(`The first release of "${channel}" needs a "config".`, {
      source: { pointer: '/config' },
    });
  }
  const next = applyChanges(parent?.release.apps ?? {}, apps);
  return { channel, kind: 'activate', parent, apps: next, config, reason, actor };
}

function changesNothing({ apps, config }: ReleaseOrder, parent: StoredRelease): boolean {
  return changedApps(parent.release.apps, apps).length === 0 && digest(config) === parent.configDigest;
}

/** Only what the request brings in is judged: a version that is live may be quarantined on behalf of another channel. */
function changingVersions({ apps, parent }: ReleaseOrder): AppSet {
  const changed = changedApps(parent?.release.apps ?? {}, apps);
  return Object.fromEntries(Object.entries(apps).filter(([app]) => changed.includes(app)));
}

async function refuseQuarantined(
  db: RegistryContext['db'],
  apps: AppSet,
  { force }: Pick<ReleaseRequest, 'force'>,
): Promise<void> {
  const [quarantine] = force ? [] : await findQuarantines(db, apps);
  if (!quarantine) return;
  const { app, version, by, at, reason } = quarantine;
  throw registryErrors.version_quarantined(
    `${versionName(app, version)} was quarantined by ${by} at ${at.toISOString()}: "${reason}".`,
  );
}

async function liftQuarantines(
  { now }: RegistryContext,
  transaction: Transaction<RegistryTables>,
  actor: Actor,
  apps: AppSet,
  request: ReleaseRequest,
): Promise<void> {
  // Looked at again: it may have been quarantined while its pages were being rendered.
  await refuseQuarantined(transaction, apps, request);
  for (const { app, version } of await findQuarantines(transaction, apps)) {
    await transaction
      .deleteFrom('quarantines')
      .where('app', '=', app)
      .where('version', '=', version)
      .execute();
    await appendAudit(transaction, {
      at: now(),
      by: actor.name,
      action: 'version.released',
      subject: versionName(app, version),
      details: { reason: request.reason },
    });
  }
}

/** Others were faster. Changes of other apps stand beside ours; a change of the same app must be looked at. */
function checkMayRebase(
  request: ReleaseRequest,
  seen: StoredRelease | null,
  current: StoredRelease | null,
): void {
  const theirs = changedApps(seen?.release.apps ?? {}, current?.release.apps ?? {});
  const overlaps = theirs.some((app) => app in request.apps);
  const bothConfigs = request.config !== undefined && seen?.configDigest !== current?.configDigest;
  if (request.parent !== undefined || overlaps || bothConfigs) {
    throw parentOutdated(seen?.release.id ?? 'none', current, seen);
  }
}

function parentOutdated(parent: string, current: StoredRelease | null, seen: StoredRelease | null) {
  const live = current ? `"${current.release.id}" by ${current.release.by}` : 'no release';
  const changes = seen && current ? appChanges(seen.release.apps, current.release.apps) : [];
  const difference = changes
    .map(({ app, from, to }) => `${app} ${from ?? 'none'} → ${to ?? 'none'}`)
    .join(', ');
  return registryErrors.parent_outdated(
    `The parent is "${parent}", but ${live} is live${difference ? ` (${difference})` : ''}.`,
    { source: { pointer: '/parent' } },
  );
}
