import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import type { Alert } from '../alerts/index.ts';
import type { RegistryTransaction } from './tables.ts';

/** Queues an alert for each subscribed hook, in the transaction that records its cause. */
export async function queueAlert(transaction: RegistryTransaction, alert: Alert, at: Date): Promise<void> {
  await sql`
    insert into registry.alerts (hook, id, alert, at)
    select id, ${`alert_${randomUUID()}`}, ${JSON.stringify(alert)}::jsonb, ${at}::timestamptz
    from registry.alert_hooks where kinds @> ${JSON.stringify([alert.kind])}::jsonb
    order by id`.execute(transaction);
}
