import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AlertFormat } from '@site/contract/registry-calls/alert.calls';
import type { Alert } from './alert.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';

/** Queues an alert for each hook that wants its kind, in the transaction in which its fact is written. */
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

/** Drops alerts older than `before`, and all but the newest `most` of each hook, and counts them. */
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
