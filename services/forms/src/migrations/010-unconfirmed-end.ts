import { sql, type Kysely } from 'kysely';
import { formSources } from '@site/contract';

/** The columns that this step looks at. */
interface Tables {
  subscriptions: { source_id: string; confirmed_at: Date | null; remove_at: Date | null };
}

/**
 * Addresses that were entered before there were confirmations get an end, as all others have that nobody confirms: counted from now, so
 * that nothing is lost by the update itself. And what belongs to a mailbox is found without reading every submission.
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
  // `mailboxIn('subscriptions.email')`, to the letter: else no query uses it.
  await db.schema
    .createIndex('subscriptions_by_mailbox')
    .on('subscriptions')
    .column(sql`regexp_replace(lower(email), '^([^+@]+)\\+[^@]*@', '\\1@')`)
    .execute();
}
