import type { Transaction } from 'kysely';
import { endPreviewsOf } from './preview.repository.ts';
import { appendAudit } from './audit.repository.ts';
import type { RegistryTables } from './tables.ts';
import { versionName } from './version.repository.ts';

export interface Judgement {
  app: string;
  version: string;
  reason: string;
  by: string;
  at: Date;
}

/**
 * Nobody may activate the version any more, and no preview shows it. A quarantine that is there stays as it is, for it belongs to whoever set it;
 * only ops take over that of a team, so that it is theirs to lift.
 *
 * @returns whether the quarantine is new, or was taken over.
 */
export async function quarantine(
  transaction: Transaction<RegistryTables>,
  { app, version, reason, by, at }: Judgement,
): Promise<boolean> {
  const because = `${versionName(app, version)} was quarantined: ${reason}`;
  await endPreviewsOf(transaction, { app, version }, { by, at, because });
  const standing = await transaction
    .selectFrom('quarantines')
    .select('by')
    .where('app', '=', app)
    .where('version', '=', version)
    .executeTakeFirst();
  if (standing && ((await isOfOps(transaction, standing.by)) || !(await isOfOps(transaction, by))))
    return false;
  await transaction
    .insertInto('quarantines')
    .values({ app, version, reason, by, at })
    .onConflict((conflict) => conflict.columns(['app', 'version']).doUpdateSet({ reason, by, at }))
    .execute();
  await transaction
    .updateTable('live_versions')
    .set({ found_bad: true })
    .where('app', '=', app)
    .where('version', '=', version)
    .execute();
  await appendAudit(transaction, {
    at,
    by,
    action: 'version.quarantined',
    subject: versionName(app, version),
    details: { reason },
  });
  return true;
}

/** @param name of whoever set a quarantine: that of their token. */
export async function isOfOps(transaction: Transaction<RegistryTables>, name: string): Promise<boolean> {
  const tokens = await transaction.selectFrom('tokens').select('scopes').where('name', '=', name).execute();
  return tokens.some(({ scopes }) => scopes.includes('ops'));
}

/** Lifts a quarantine. @returns whether there was one. */
export async function release(
  transaction: Transaction<RegistryTables>,
  { app, version, reason, by, at }: Judgement,
): Promise<boolean> {
  const lifted = await transaction
    .deleteFrom('quarantines')
    .where('app', '=', app)
    .where('version', '=', version)
    .returning('version')
    .executeTakeFirst();
  if (!lifted) return false;
  await appendAudit(transaction, {
    at,
    by,
    action: 'version.released',
    subject: versionName(app, version),
    details: { reason },
  });
  return true;
}
