import type { Kysely, Transaction } from 'kysely';
import type { ChannelName, Freeze } from '@site/contract';
import type { RegistryTables } from './tables.ts';

/** How a freeze of everything is stored: no app has this name. */
const EVERYTHING = '*';

/** What is frozen on a channel: everything first, then the apps by name. */
export async function listFreezes(db: Kysely<RegistryTables>, channel: ChannelName): Promise<Freeze[]> {
  const rows = await db
    .selectFrom('freezes')
    .selectAll()
    .where('channel', '=', channel)
    .orderBy('app')
    .execute();
  return rows.map(({ app, by, at, reason }) => ({
    app: app === EVERYTHING ? null : app,
    by,
    at: at.toISOString(),
    reason,
  }));
}

export interface NewFreeze {
  channel: ChannelName;
  /** Null freezes everything. */
  app: string | null;
  reason: string;
  by: string;
  at: Date;
}

/** @returns whether it was not frozen before; a freeze that is there stays as it is. */
export async function insertFreeze(
  transaction: Transaction<RegistryTables>,
  { app, ...freeze }: NewFreeze,
): Promise<boolean> {
  const inserted = await transaction
    .insertInto('freezes')
    .values({ app: app ?? EVERYTHING, ...freeze })
    .onConflict((conflict) => conflict.doNothing())
    .returning('app')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** @returns whether it was frozen. */
export async function deleteFreeze(
  transaction: Transaction<RegistryTables>,
  channel: ChannelName,
  app: string | null,
): Promise<boolean> {
  const deleted = await transaction
    .deleteFrom('freezes')
    .where('channel', '=', channel)
    .where('app', '=', app ?? EVERYTHING)
    .returning('app')
    .executeTakeFirst();
  return deleted !== undefined;
}
