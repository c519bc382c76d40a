import { sql } from 'kysely';
import { type AppSet, versionName } from '../versions/index.ts';
import { endPreviews } from './preview.repository.ts';
import { appendAudit } from '../kernel/audit.repository.ts';
import { endJudgements, dropAllStandings } from '../signals/index.ts';
import { versionRows } from '../kernel/json-rows.ts';
import type { QuarantineRow, RegistryDb } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';
import type { QuarantineAnswer } from '@site/contract';

export interface Quarantine {
  app: string;
  version: string;
  reason: string;
}

/**
 * An existing quarantine is unchanged, because it belongs to its author. Only ops adopt a team's quarantine, so that
 * only ops can lift it.
 * @returns whether the quarantine is new or adopted.
 */
export async function insertQuarantine(
  writing: ChangeContext,
  { app, version, reason }: Quarantine,
): Promise<boolean> {
  const { transaction, by, at } = writing;
  const because = `${versionName(app, version)} was quarantined: ${reason}`;
  await endPreviews(writing, { app, version }, because);
  const standing = await transaction
    .selectFrom('quarantines')
    .select('by')
    .where('app', '=', app)
    .where('version', '=', version)
    .executeTakeFirst();
  if (standing && ((await isOpsToken(transaction, standing.by)) || !(await isOpsToken(transaction, by))))
    return false;
  await transaction
    .insertInto('quarantines')
    .values({ app, version, reason, by, at })
    .onConflict((conflict) => conflict.columns(['app', 'version']).doUpdateSet({ reason, by, at }))
    .execute();
  await dropAllStandings(writing, { app, version });
  await endJudgements(writing, { app, version });
  await transaction
    .updateTable('live_versions')
    .set({ found_bad: true })
    .where('app', '=', app)
    .where('version', '=', version)
    .execute();
  await appendAudit(writing, {
    action: 'version.quarantined',
    subject: versionName(app, version),
    details: { reason },
  });
  return true;
}

/** @param name the token name of the quarantine's author. */
export async function isOpsToken(db: RegistryDb, name: string): Promise<boolean> {
  const tokens = await db.selectFrom('tokens').select('scopes').where('name', '=', name).execute();
  return tokens.some(({ scopes }) => scopes.includes('ops'));
}

/** @returns whether there was a quarantine to lift. */
export async function deleteQuarantine(
  writing: ChangeContext,
  { app, version, reason }: Quarantine,
): Promise<boolean> {
  const lifted = await writing.transaction
    .deleteFrom('quarantines')
    .where('app', '=', app)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
  if (!lifted) return false;
  await appendAudit(writing, {
    action: 'version.unquarantined',
    subject: versionName(app, version),
    details: { reason },
  });
  return true;
}

export async function findQuarantines(
  db: RegistryDb,
  apps: AppSet | Iterable<readonly [app: string, version: string]>,
): Promise<QuarantineRow[]> {
  const pairs = Symbol.iterator in apps ? [...apps] : Object.entries(apps);
  if (pairs.length === 0) return [];
  const { rows } = await sql<QuarantineRow>`
    select quarantines.* from ${versionRows(pairs)} join registry.quarantines using (app, version)
  `.execute(db);
  return rows;
}

export function quarantined(
  row: { reason: string | null; by: string | null; at: Date | null } | undefined,
): QuarantineAnswer['quarantined'] {
  if (!row || row.reason === null || row.by === null || row.at === null) return null;
  return { reason: row.reason, by: row.by, at: row.at.toISOString() };
}
