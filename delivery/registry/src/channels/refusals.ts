import type { ChannelName, Freeze } from '@site/contract';
import type { ApiError, ErrorSource } from '@site/server/api-error';
import { listOwnedApps, hasApp, listApps, versionName, appChanges, type AppSet } from '../versions/index.ts';
import { listFreezes } from './freeze.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { findQuarantines } from './quarantine.repository.ts';
import type { StoredRelease } from './release.repository.ts';
import type { OwnedApp } from '@site/contract/registry-calls/app.calls';
import { timeText } from '@site/contract/text';
import { registryErrors } from '../kernel/registry-errors.ts';

export async function findFreeze(
  db: RegistryDb,
  channel: ChannelName,
  apps: readonly string[],
): Promise<Freeze | null> {
  return (await listFreezes(db, channel)).find(({ app }) => app === null || apps.includes(app)) ?? null;
}

export async function refuseFrozen(
  db: RegistryDb,
  channel: ChannelName,
  apps: readonly string[],
): Promise<void> {
  const freeze = await findFreeze(db, channel, apps);
  if (!freeze) return;
  const { app, by, at, reason } = freeze;
  throw registryErrors.frozen(
    `${app ?? 'Everything'} on "${channel}" was frozen by ${by} at ${timeText(at)}: "${reason}".`,
  );
}

export async function refuseQuarantined(db: RegistryDb, versions: AppSet): Promise<void> {
  const [quarantine] = await findQuarantines(db, versions);
  if (!quarantine) return;
  const { app, version, by, at, reason } = quarantine;
  throw registryErrors.version_quarantined(
    `${versionName(app, version)} was quarantined by ${by} at ${timeText(at)}: "${reason}".`,
  );
}

export function appNotLive(app: string, channel: ChannelName, live: StoredRelease | null) {
  const known = Object.keys(live?.release.apps ?? {}).join(', ') || 'none';
  return registryErrors.app_unknown(`"${app}" is not live on "${channel}"; the live apps are: ${known}.`);
}

/**
 * @param source null: the path names the app.
 * @throws ApiError `app_unknown` for an unknown name.
 */
export async function requireApp(
  db: RegistryDb,
  app: string,
  source: ErrorSource | null = { pointer: '/app' },
): Promise<void> {
  if (await hasApp(db, app)) return;
  const known = (await listApps(db)).map((row) => row.app);
  if ((await listOwnedApps(db)).some((owned) => owned.app === app)) {
    throw registryErrors.app_unknown(
      `"${app}" is registered, but no version of it was ever published.`,
      source ? { source } : {},
    );
  }
  throw registryErrors.app_unknown(
    `No version of "${app}" was ever published; the known apps are: ${known.join(', ') || 'none yet'}.`,
    source ? { source } : {},
  );
}

export function notRegistered(app: string, apps: readonly OwnedApp[]): string {
  const known = apps.map((one) => one.app).join(', ') || 'none yet';
  return `"${app}" is not registered; the registered apps are: ${known}.`;
}

export function parentOutdated(
  expected: string,
  current: StoredRelease | null,
  seen: StoredRelease | null,
): ApiError {
  const live = current ? `"${current.release.id}" by ${current.release.by}` : 'no release';
  const changes = seen && current ? appChanges(seen.release.apps, current.release.apps) : [];
  const difference = [
    ...changes.map(({ app, from, to }) => `${app} ${from ?? 'none'} → ${to ?? 'none'}`),
    ...(seen && current && seen.configDigest !== current.configDigest ? ['the configuration'] : []),
  ].join(', ');
  return registryErrors.parent_outdated(
    `"${expected}" was expected to be live, but ${live} is live${difference ? ` (${difference})` : ''}.`,
    { source: { pointer: '/ifLive' } },
  );
}
