import { type ChannelName, releaseNumber } from '@site/contract';
import { pickAuthorFields } from '@site/contract/author-fields';
import { type ChannelSnapshot, findChannel, type StoredCanary } from './channel.repository.ts';
import { findRelease, releaseId, type ReleasePlan, type StoredRelease } from './release.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { applyChanges, type AppSet, changedApps } from '../versions/index.ts';
import { toPercent } from '../signals/index.ts';
import { digest } from '../kernel/canonical-json.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Actor } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { requireScope } from '../kernel/scopes.ts';

export interface RunningCanary {
  canary: StoredCanary;
  /** The versions in the canary that are not in the live release. */
  versions: AppSet;
  changesConfig: boolean;
}

export function runningCanary({ live, canary }: ChannelSnapshot): RunningCanary | null {
  if (!canary) return null;
  const changed = changedApps(live?.release.apps ?? {}, canary.release.apps);
  return {
    canary,
    versions: Object.fromEntries(changed.map((app) => [app, canary.release.apps[app] ?? ''])),
    changesConfig: live?.configDigest !== canary.configDigest,
  };
}

export interface NamedCanary {
  snapshot: ChannelSnapshot;
  meant: string | undefined;
  named: StoredRelease | null;
}

export async function readCanary(
  db: RegistryDb,
  channel: ChannelName,
  meant: string | undefined,
): Promise<NamedCanary> {
  const snapshot = await findChannel(db, channel);
  return { snapshot, meant, named: meant === undefined ? null : await findRelease(db, releaseNumber(meant)) };
}

/**
 * Any release that the canary ever had identifies it.
 * @throws ApiError `no_canary` if none is running, or another one than the author saw.
 */
export function requireCanary({ snapshot, meant, named }: NamedCanary): RunningCanary {
  const { channel } = snapshot;
  const running = runningCanary(snapshot);
  if (!running) throw registryErrors.no_canary(`No canary runs on "${channel}".`);
  if (meant === undefined) return running;
  const isOfThis =
    named?.asCanary && named.release.channel === channel && named.number >= running.canary.first;
  if (isOfThis) return running;
  throw registryErrors.no_canary(
    `"${meant}" is not the canary of "${channel}": "${running.canary.release.id}" is.`,
    { source: { pointer: '/ifCanary' } },
  );
}

/** @throws ApiError `scope_missing` unless the caller may activate everything that the canary changes. */
export function requireCanaryScopes(actor: Actor, { versions, changesConfig }: RunningCanary): void {
  for (const app of Object.keys(versions)) requireScope(actor, `activate:${app}`);
  if (changesConfig) requireScope(actor, 'ops');
}

export function canaryRunning({ canary, versions }: RunningCanary, why: string) {
  const { id, by } = canary.release;
  const apps = Object.keys(versions).join(', ') || 'the configuration';
  return registryErrors.canary_running(
    `The canary "${id}" of ${by} shows ${apps} to ${toPercent(canary.basisPoints)} % of the visitors: ${why}.`,
  );
}

export function showsNothingElse({ apps, config }: ReleasePlan, live: ReleasePlan): boolean {
  return changedApps(live.apps, apps).length === 0 && digest(config) === digest(live.config);
}

/** Rebases the canary's changes onto the next live release. */
export async function carryOver(
  { db }: RegistryContext,
  { canary, versions, changesConfig }: RunningCanary,
  live: ReleasePlan,
): Promise<ReleasePlan> {
  const begun = await findRelease(db, canary.first);
  return {
    kind: 'activate',
    ...applyChanges(live, versions),
    config: changesConfig ? canary.release.config : live.config,
    said: {
      ...pickAuthorFields(canary.release),
      reason: `The canary ${releaseId(canary.first)} carried over: ${begun?.release.reason ?? ''}`,
    },
  };
}
