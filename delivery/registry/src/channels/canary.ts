import { ApiError } from '@site/server/api-error';
import { type AppChange, CONFIGURATION, pageSets, type SiteConfig } from '@site/contract';
import type { ChannelSnapshot, StoredCanary } from './channel.repository.ts';
import type { ReleasePlan } from './release.repository.ts';
import { type AppSet, type LiveSet, withApp } from '../versions/index.ts';
import { toPercent } from '../signals/index.ts';
import { digest } from '../kernel/canonical-json.ts';
import { registryErrors } from '../kernel/registry-errors.ts';
import type { Actor } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { requireScope } from '../kernel/scopes.ts';
import { checkFit, prepareSet } from './prepare-release.ts';

/** Undefined: it changes the configuration. */
export const canaryVersion = ({ app, release }: Pick<StoredCanary, 'app' | 'release'>): string | undefined =>
  release.apps[app];

/** Empty: it changes the configuration. */
export function canaryVersions(canary: Pick<StoredCanary, 'app' | 'release'>): AppSet {
  const version = canaryVersion(canary);
  return version === undefined ? {} : { [canary.app]: version };
}

export function canaryChanges({ live }: ChannelSnapshot, canary: StoredCanary): AppChange[] {
  const to = canaryVersion(canary);
  return to === undefined ? [] : [{ app: canary.app, from: live?.release.apps[canary.app] ?? null, to }];
}

export interface NamedCanary {
  app?: string | undefined;
  ifCanary?: string | undefined;
}

/** @throws ApiError `canary_unclear` if several run and none is named, `no_canary` if the named one does not run. */
export function requireCanary(
  { channel, canaries }: ChannelSnapshot,
  { app, ifCanary }: NamedCanary,
): StoredCanary {
  const [canary, ...others] = canaries.filter(
    (running) =>
      (app === undefined || running.app === app) &&
      (ifCanary === undefined || running.release.id === ifCanary),
  );
  const all = canaries.map(({ app: of, release: { id } }) => `${id} of ${of}`).join(', ');
  if (others.length > 0) {
    throw registryErrors.canary_unclear(`Several canaries run on "${channel}": ${all}.`, {
      source: { pointer: '/app' },
    });
  }
  if (canary) return canary;
  const wanted =
    ifCanary === undefined
      ? app === undefined
        ? 'No canary'
        : `No canary of ${app}`
      : `No canary "${ifCanary}"`;
  throw registryErrors.no_canary(
    `${wanted} runs on "${channel}"${all === '' ? '' : `; running: ${all}`}.`,
    app === undefined && ifCanary === undefined
      ? {}
      : { source: { pointer: ifCanary === undefined ? '/app' : '/ifCanary' } },
  );
}

/** @throws ApiError `scope_missing` unless the caller may activate the canary's app. */
export function requireCanaryScope(actor: Actor, { app }: StoredCanary): void {
  requireScope(actor, app === CONFIGURATION ? 'ops' : `activate:${app}`);
}

export function canaryRunning({ app, basisPoints, release: { id, by } }: StoredCanary, why: string) {
  return registryErrors.canary_running(
    `The canary "${id}" of ${app === CONFIGURATION ? 'the configuration' : app}, by ${by}, is shown to ` +
      `${toPercent(basisPoints)} % of the visitors: ${why}.`,
  );
}

/** The set that visitors of these canaries see instead of this one. */
export function withCanaries<Set extends LiveSet & { config: SiteConfig }>(
  live: Set,
  canaries: readonly Pick<StoredCanary, 'app' | 'release'>[],
): Set {
  return canaries.reduce((set, canary) => {
    const version = canaryVersion(canary);
    return version === undefined
      ? { ...set, config: canary.release.config }
      : { ...set, ...withApp(set, canary.app, version) };
  }, live);
}

export function showsNothingElse(live: ReleasePlan, canary: StoredCanary): boolean {
  return canary.app === CONFIGURATION
    ? digest(live.config) === canary.configDigest
    : live.apps[canary.app] === canaryVersion(canary);
}

/**
 * Two versions must fit and their pages be rendered if a visitor can get both. Conflicts are between two apps, so the
 * set of all canaries finds those between two canaries.
 * @param isNew whether the change affects a set. @returns the number of rendered pages.
 * @throws ApiError `canary_running` that names the canary with which the change does not fit.
 */
export async function prepareCanaries(
  context: RegistryContext,
  live: ReleasePlan,
  {
    canaries,
    changed,
    isNew = () => true,
  }: {
    canaries: readonly StoredCanary[];
    changed: readonly string[];
    isNew?: (set: readonly StoredCanary[]) => boolean;
  },
): Promise<number> {
  const refused = (set: readonly StoredCanary[]) => (error: unknown) => {
    const canary = set.find(({ app }) => !changed.includes(app));
    if (!canary || !(error instanceof ApiError) || error.status >= 500) throw error;
    throw canaryRunning(canary, `this change does not fit it (${error.detail})`);
  };
  let rendered = 0;
  for (const set of pageSets(canaries).filter(isNew))
    rendered += (await prepareSet(context, withCanaries(live, set), changed).catch(refused(set))).rendered;
  if (canaries.length > 1 && isNew(canaries))
    await checkFit(context, withCanaries(live, canaries)).catch(refused(canaries));
  return rendered;
}
