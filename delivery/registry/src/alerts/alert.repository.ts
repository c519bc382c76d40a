import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { AlertFormat } from '@site/contract/registry-calls/alert.calls';
import type { Alert } from './alert.ts';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';

export async function queueAlert(transaction: RegistryTransaction, alert: Alert, at: Date): Promise<void> {
  await sql`
    insert into registry.alerts (hook, id, alert, at)
    select id, ${`alert_${randomUUID()}`}, ${JSON.stringify(alert)}::jsonb, ${at}::timestamptz
    from registry.alert_hooks where kinds @> ${JSON.stringify([alert.kind])}::jsonb
    order by id`.execute(transaction);
}

export async function dueHooks(db: RegistryDb, at: Date): Promise<string[]> {
  const { rows } = await sql<{ id: string }>`
    select id from registry.alert_hooks
    where next_at <= ${at} and exists (select from registry.alerts where hook = alert_hooks.id)
    order by id`.execute(db);
  return rows.map(({ id }) => id);
}

export interface Delivery {
  hook: string;
  sequence: number;
  id: string;
  alert: Alert;
  at: Date;
  url: string;
  format: AlertFormat;
  secret: string;
  failures: number;
}

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

export async function noteDelivered(db: RegistryDb, { hook, sequence }: Delivery, at: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await transaction
      .deleteFrom('alerts')
      .where(({ and }) => and({ hook, sequence }))
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

/** Drops and counts alerts older than `before`, and all but the newest `most` of each hook. */
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

/** The queue of a copied database: its receivers belong to the original. */
export async function dropQueue(transaction: RegistryTransaction): Promise<void> {
  await transaction.deleteFrom('alerts').execute();
}

/** @returns false if another registry has the lease. */
export async function takeTurn(db: RegistryDb, holder: string, at: Date, until: Date): Promise<boolean> {
  const { rows } = await sql`
    insert into registry.alert_lease (id, holder, until) values (1, ${holder}, ${until})
    on conflict (id) do update set holder = excluded.holder, until = excluded.until
      where alert_lease.holder = ${holder} or alert_lease.until <= ${at}
    returning id`.execute(db);
  return rows.length > 0;
}

export async function endTurn(db: RegistryDb, holder: string): Promise<void> {
  await db.deleteFrom('alert_lease').where('holder', '=', holder).execute();
}

export interface InboxNews {
  form: string;
  waiting: number;
  newestAt: Date;
}

/** No effect if the newest one was already reported, or if the form was reported after `pauseFrom`. */
export async function noteNews(
  db: RegistryDb,
  { form, waiting, newestAt }: InboxNews,
  at: Date,
  pauseFrom: Date,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    const told = await transaction
      .insertInto('inbox_alerts')
      .values({ form, newest_at: newestAt, alerted_at: at })
      .onConflict((conflict) =>
        conflict
          .column('form')
          .doUpdateSet({ newest_at: newestAt, alerted_at: at })
          .where('inbox_alerts.newest_at', '<', newestAt)
          .where('inbox_alerts.alerted_at', '<=', pauseFrom),
      )
      .returning('form')
      .executeTakeFirst();
    if (!told) return;
    const what = waiting === 1 ? '1 submission waits' : `${waiting} submissions wait`;
    const text = `${what} in "${form}": npx @site/cli inbox ${form}`;
    await queueAlert(
      transaction,
      { kind: 'inbox', state: 'happened', channel: null, subject: form, text },
      at,
    );
  });
}
