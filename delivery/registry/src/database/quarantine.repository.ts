import type { Transaction } from 'kysely';
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

/** Nobody may activate the version any more. A quarantine that is there gets the new reason. */
export async function quarantine(
  transaction: Transaction<RegistryTables>,
  { app, version, reason, by, at }: Judgement,
): Promise<void> {
  await transaction
    .insertInto('quarantines')
    .values({ app, version, reason, by, at })
    .onConflict((conflict) => conflict.columns(['app', 'version']).doUpdateSet({ reason, by, at }))
    .execute();
  await appendAudit(transaction, {
    at,
    by,
    action: 'version.quarantined',
    subject: versionName(app, version),
    details: { reason },
  });
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
