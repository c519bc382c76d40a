import { sql, type Kysely } from 'kysely';
import { formSources } from '@site/contract';

/** The columns of this migration. */
interface Tables {
  subscriptions: { source_id: string; confirmed_at: Date | null; remove_at: Date | null };
}

/**
 * Gives addresses from before confirmations the same expiry as other unconfirmed ones, counted from now so
 * that the migration itself deletes nothing. Adds an index by mailbox.
 */
export async function endUnconfirmed(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<Tables>;
  await db
    .updateTable('subscriptions')
    .set({ remove_at: sql<Date>`now() + interval '32 days'` })
    .where('source_id', '=', formSources.newsletter)
    .where('confirmed_at', 'is', null)
    .where('remove_at', 'is', null)
    .execute();
  // Must equal `mailboxIn('subscriptions.email')` exactly, or no query uses it.
  await db.schema
    .createIndex('subscriptions_by_mailbox')
    .on('subscriptions')
    .column(sql`regexp_replace(lower(email), '^([^+@]+)\\+[^@]*@', '\\1@')`)
    .execute();
}
