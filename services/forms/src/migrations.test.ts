import { formSources } from '@site/contract';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { sql } from 'kysely';
import { mailboxSql } from './kernel/mailbox.ts';
import type { FormsTables } from './kernel/tables.ts';
import { formsMigrations } from './migrations.ts';

describe('the schema', () => {
  let shared: TestDatabase;
  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
  });
  afterAll(() => shared.stop());

  test('finds the data of a mailbox by an index', async () => {
    const plan = await shared.database
      .schema<FormsTables>('forms')
      .transaction()
      .execute(async (transaction) => {
        // Otherwise a small table is scanned sequentially.
        await sql`set local enable_seqscan = off`.execute(transaction);
        return transaction
          .selectFrom('subscriptions')
          .select('id')
          .where('source_id', '=', formSources.newsletter)
          .where(sql<boolean>`${mailboxSql('subscriptions.email')} = ${'ada@x.com'}`)
          .explain();
      });
    expect(JSON.stringify(plan)).toContain('subscriptions_by_mailbox');
  });
});
