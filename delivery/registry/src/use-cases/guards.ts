import type { Kysely } from 'kysely';
import type { ChannelName } from '@site/contract';
import { listFreezes } from '../database/freeze.repository.ts';
import type { RegistryTables } from '../database/tables.ts';
import { findQuarantines, versionName } from '../database/version.repository.ts';
import type { AppSet } from '../domain/app-set.ts';
import { registryErrors } from '../errors.ts';

/** @throws ApiError `frozen` when one of the apps, or everything on the channel, may not change for now. */
export async function refuseFrozen(
  db: Kysely<RegistryTables>,
  channel: ChannelName,
  apps: readonly string[],
): Promise<void> {
  const freeze = (await listFreezes(db, channel)).find(({ app }) => app === null || apps.includes(app));
  if (!freeze) return;
  const { app, by, at, reason } = freeze;
  throw registryErrors.frozen(
    `${app ?? 'Everything'} on "${channel}" was frozen by ${by} at ${at}: "${reason}".`,
  );
}

/** @throws ApiError `version_quarantined` when one of the versions is. */
export async function refuseQuarantined(db: Kysely<RegistryTables>, versions: AppSet): Promise<void> {
  const [quarantine] = await findQuarantines(db, versions);
  if (!quarantine) return;
  const { app, version, by, at, reason } = quarantine;
  throw registryErrors.version_quarantined(
    `${versionName(app, version)} was quarantined by ${by} at ${at.toISOString()}: "${reason}".`,
  );
}
