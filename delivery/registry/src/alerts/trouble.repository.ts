import type { Trouble } from './alert.ts';
import { queueAlert } from '../kernel/queue-alert.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export function listTroubles(db: RegistryDb): Promise<Trouble[]> {
  return db
    .selectFrom('alert_troubles')
    .select(['kind', 'subject', 'channel', 'says', 'since'])
    .orderBy('since')
    .orderBy('kind')
    .orderBy('subject')
    .execute();
}

export async function beginTrouble(db: RegistryDb, trouble: Trouble, at: Date): Promise<void> {
  const { kind, channel, subject, says: text } = trouble;
  await db.transaction().execute(async (transaction) => {
    const begun = await transaction
      .insertInto('alert_troubles')
      .values(trouble)
      .onConflict((conflict) => conflict.doNothing())
      .returning('kind')
      .executeTakeFirst();
    if (begun) await queueAlert(transaction, { kind, state: 'began', channel, subject, text }, at);
  });
}

export async function endTrouble(db: RegistryDb, trouble: Trouble, at: Date): Promise<void> {
  const { kind, channel, subject, says } = trouble;
  await db.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom('alert_troubles')
      .where(({ and }) => and({ kind, subject }))
      .returning('kind')
      .executeTakeFirst();
    const text = `Over: ${says}`;
    if (ended) await queueAlert(transaction, { kind, state: 'ended', channel, subject, text }, at);
  });
}
