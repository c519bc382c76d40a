import { randomUUID } from 'node:crypto';
import { sql, type Selectable } from 'kysely';
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { Alert, Trouble } from '../domain/alert.ts';
import type { RegistryDb, RegistryTables, RegistryTransaction } from './tables.ts';
import type { Writing } from './writing.ts';

export type AlertHook = Omit<Selectable<RegistryTables['alert_hooks']>, 'next_at'> & {
  nextAt: Date;
  /** Alerts that were not delivered yet. */
  waiting: number;
};

const hookColumns = [
  'id',
  'url',
  'format',
  'kinds',
  'secret',
  'by',
  'at',
  'dropped',
  'failures',
  'problem',
  'next_at as nextAt',
  sql<number>`(select count(*) from registry.alerts where hook = alert_hooks.id)::integer`.as('waiting'),
] as const;

export function listHooks(db: RegistryDb): Promise<AlertHook[]> {
  return db.selectFrom('alert_hooks').select(hookColumns).orderBy('at').orderBy('id').execute();
}

export async function findHook(db: RegistryDb, id: string): Promise<AlertHook | undefined> {
  return db.selectFrom('alert_hooks').select(hookColumns).where('id', '=', id).executeTakeFirst();
}

export async function insertHook(
  { transaction, by, at }: Writing,
  hook: { id: string; url: string; format: AlertFormat; kinds: AlertKind[]; secret: string },
): Promise<void> {
  await transaction
    .insertInto('alert_hooks')
    .values({ ...hook, kinds: JSON.stringify(hook.kinds), by, at, next_at: at, problem: null })
    .execute();
}

/** Gives a hook another secret: nothing is signed with the one before any more. */
export async function replaceSecret(db: RegistryDb, id: string, secret: string): Promise<void> {
  await db.updateTable('alert_hooks').set({ secret }).where('id', '=', id).execute();
}

/** With all that it was to be told. */
export async function deleteHook(transaction: RegistryTransaction, id: string): Promise<void> {
  await transaction.deleteFrom('alert_hooks').where('id', '=', id).execute();
}

/** Notes what is to be told, in the transaction in which it happens: for each hook that wants to hear of it. */
export async function queueAlert(transaction: RegistryTransaction, alert: Alert, at: Date): Promise<void> {
  await sql`
    insert into registry.alerts (hook, id, alert, at)
    select id, ${`alert_${randomUUID()}`}, ${JSON.stringify(alert)}::jsonb, ${at}::timestamptz
    from registry.alert_hooks where kinds @> ${JSON.stringify([alert.kind])}::jsonb
    order by id`.execute(transaction);
}

/** The hooks that something is to be sent to now. */
export async function dueHooks(db: RegistryDb, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from registry.alert_hooks
    where next_at <= ${at} and exists (select from registry.alerts where hook = alert_hooks.id)
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

/** An alert, and the hook that it goes to. */
export interface Delivery {
  hook: string;
  sequence: number;
  id: string;
  alert: Alert;
  at: Date;
  url: string;
  format: AlertFormat;
  secret: string;
  /** How often it was tried in vain. */
  failures: number;
}

/** What a hook is to be told first, or undefined: there is nothing, or the hook was removed. */
export async function firstDelivery(db: RegistryDb, hook: string): Promise<Delivery | undefined> {
  return db
    .selectFrom('alerts')
    .innerJoin('alert_hooks', 'alert_hooks.id', 'alerts.hook')
    .select(['alerts.hook', 'alerts.sequence', 'alerts.id', 'alerts.alert', 'alerts.at'])
    .select(['alert_hooks.url', 'alert_hooks.format', 'alert_hooks.secret', 'alert_hooks.failures'])
    .where('alerts.hook', '=', hook)
    .orderBy('alerts.sequence')
    .executeTakeFirst();
}

/** It was delivered: it is not sent again. */
export async function noteDelivered(db: RegistryDb, { hook, sequence }: Delivery, at: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('alerts')
      .where('hook', '=', hook)
      .where('sequence', '=', sequence)
      .execute();
    await transaction
      .updateTable('alert_hooks')
      .set({ failures: 0, problem: null, next_at: at })
      .where('id', '=', hook)
      .execute();
  });
}

export async function noteFailure(
  db: RegistryDb,
  { hook, failures }: Delivery,
  problem: string,
  nextAt: Date,
): Promise<void> {
  await db
    .updateTable('alert_hooks')
    .set({ failures: failures + 1, problem, next_at: nextAt })
    .where('id', '=', hook)
    .execute();
}

/** Gives up what is older than that, and of each hook all but the newest so many; it is counted. */
export async function dropAlerts(
  db: RegistryDb,
  { before, most }: { before: Date; most: number },
): Promise<void> {
  await sql`
    with placed as (
      select hook, sequence, at, row_number() over (partition by hook order by sequence desc) as place
      from registry.alerts
    ), gone as (
      delete from registry.alerts using placed
      where alerts.hook = placed.hook and alerts.sequence = placed.sequence
        and (placed.place > ${most} or placed.at < ${before})
      returning alerts.hook
    )
    update registry.alert_hooks set dropped = alert_hooks.dropped + counted.dropped
    from (select hook, count(*)::integer as dropped from gone group by hook) as counted
    where id = counted.hook`.execute(db);
}

export function listTroubles(db: RegistryDb): Promise<Trouble[]> {
  return db
    .selectFrom('alert_troubles')
    .select(['kind', 'subject', 'channel', 'says', 'since'])
    .orderBy('since')
    .orderBy('kind')
    .orderBy('subject')
    .execute();
}

/** Notes that something is wrong, and that it is to be told. Nothing when that was noted before. */
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

/** Notes that it is over, and that this is to be told. Nothing when that was noted before. */
export async function endTrouble(db: RegistryDb, trouble: Trouble, at: Date): Promise<void> {
  const { kind, channel, subject, says } = trouble;
  await db.transaction().execute(async (transaction) => {
    const ended = await transaction
      .deleteFrom('alert_troubles')
      .where('kind', '=', kind)
      .where('subject', '=', subject)
      .returning('kind')
      .executeTakeFirst();
    const text = `Over: ${says}`;
    if (ended) await queueAlert(transaction, { kind, state: 'ended', channel, subject, text }, at);
  });
}

/** Takes or keeps the turn to watch and to send. @returns false when another registry has it. */
export async function takeTurn(db: RegistryDb, holder: string, at: Date, until: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into registry.alert_turn (id, holder, until) values (1, ${holder}, ${until})
    on conflict (id) do update set holder = excluded.holder, until = excluded.until
      where alert_turn.holder = ${holder} or alert_turn.until <= ${at}
    returning id`.execute(db);
  return rows.length > 0;
}

/** Lets the next registry have the turn at once. */
export async function endTurn(db: RegistryDb, holder: string): Promise<void> {
  await db.deleteFrom('alert_turn').where('holder', '=', holder).execute();
}

/** Whether any hook wants such alerts. */
export async function wantsToHear(db: RegistryDb, kind: AlertKind): Promise<boolean> {
  const { rows } = await sql`
    select id from registry.alert_hooks where kinds @> ${JSON.stringify([kind])}::jsonb limit 1`.execute(db);
  return rows.length > 0;
}

/** What waits in a form. */
export interface InboxNews {
  form: string;
  waiting: number;
  newestAt: Date;
}

/**
 * Notes that something came through a form, and that this is to be told. Nothing when its newest was told of, or the form was within the
 * pause.
 *
 * @param pauseFrom what was told after it is told of no more.
 */
export async function noteNews(
  db: RegistryDb,
  { form, waiting, newestAt }: InboxNews,
  at: Date,
  pauseFrom: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const told = await transaction
      .insertInto('inbox_told')
      .values({ form, newest_at: newestAt, told_at: at })
      .onConflict((conflict) =>
        conflict
          .column('form')
          .doUpdateSet({ newest_at: newestAt, told_at: at })
          .where('inbox_told.newest_at', '<', newestAt)
          .where('inbox_told.told_at', '<=', pauseFrom),
      )
      .returning('form')
      .executeTakeFirst();
    if (!told) return;
    const what = waiting === 1 ? '1 submission waits' : `${waiting} submissions wait`;
    const text = `${what} in "${form}": npx site inbox ${form}`;
    await queueAlert(
      transaction,
      { kind: 'inbox', state: 'happened', channel: null, subject: form, text },
      at,
    );
  });
}
