import { randomUUID } from 'node:crypto';
import { formSources } from '@site/contract';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { sql } from 'kysely';
import { DAY_MS } from '@site/server/durations';
import { mailboxIn } from '../limits/mailbox.ts';
import { formsMigrations } from '../migrations.ts';
import { UNCONFIRMED_DAYS } from '../newsletter/readers.repository.ts';
import type { FormsTables } from '../tables.ts';

describe('a database from before step 010', () => {
  let shared: TestDatabase;
  beforeEach(async () => {
    shared = await startDatabase();
  });
  afterEach(() => shared.stop());

  const db = () => shared.database.schema<FormsTables>('forms');
  async function stored(source: string, confirmedAt: Date | null): Promise<string> {
    const id = randomUUID();
    await sql`insert into ${sql.id('forms', 'subscriptions')}
      (id, email, source_id, form_fields, visitor_unique_id, visitor_type, suspected_spam, content_hash, created_at, confirmed_at)
      values (${id}, 'Ada+old@x.com', ${source}, '{}', '', 'guest', false, 'x', '2024-01-01', ${confirmedAt})`.execute(
      db(),
    );
    return id;
  }

  test('gives unconfirmed addresses an expiry, and no others', async () => {
    await shared.database.migrate('forms', formsMigrations.slice(0, 9));
    const old = await stored(formSources.newsletter, null);
    const confirmed = await stored(formSources.newsletter, new Date());
    const referral = await stored(formSources.referral, null);
    const before = Date.now();
    await shared.database.migrate('forms', formsMigrations);
    const after = Date.now();

    const rows = await db().selectFrom('subscriptions').select(['id', 'remove_at']).execute();
    const endOf = (id: string) => rows.find((row) => row.id === id)?.remove_at;
    expect([endOf(confirmed), endOf(referral)]).toEqual([null, null]);
    const askedAt = endOf(old)!.getTime() - UNCONFIRMED_DAYS * DAY_MS;
    // The database's time is this machine's time with more digits.
    expect(askedAt).toBeGreaterThanOrEqual(before - 1);
    expect(askedAt).toBeLessThanOrEqual(after + 1);
  });

  test('finds the data of a mailbox by an index', async () => {
    await shared.database.migrate('forms', formsMigrations);
    const plan = await db()
      .transaction()
      .execute(async (transaction) => {
        // Otherwise a small table is scanned sequentially.
        await sql`set local enable_seqscan = off`.execute(transaction);
        return transaction
          .selectFrom('subscriptions')
          .select('id')
          .where('source_id', '=', formSources.newsletter)
          .where(sql<boolean>`${mailboxIn('subscriptions.email')} = ${'ada@x.com'}`)
          .explain();
      });
    expect(JSON.stringify(plan)).toContain('subscriptions_by_mailbox');
  });
});
