import { randomUUID } from 'node:crypto';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { sql } from 'kysely';
import { mailboxOf } from '../limits/mailbox.ts';
import { formsMigrations } from '../migrations.ts';
import type { FormsTables } from '../tables.ts';

describe('a database from before confirmations', () => {
  let shared: TestDatabase;
  beforeAll(async () => {
    shared = await startDatabase();
  });
  afterAll(() => shared.stop());

  test('requests confirmations for pending referrals, and compares addresses by mailbox', async () => {
    await shared.database.migrate('forms', formsMigrations.slice(0, 4));
    const db = shared.database.schema<FormsTables>('forms');
    const [waiting, sent] = [randomUUID(), randomUUID()];
    for (const [id, status, recipients] of [
      [waiting, 'waiting', ['A+1@x.com', 'b@x.com']],
      [sent, 'sent', ['C+2@x.com']],
    ] as const) {
      await sql`insert into ${sql.id('forms', 'subscriptions')}
        (id, email, source_id, form_fields, visitor_unique_id, visitor_type, suspected_spam, content_hash, created_at)
        values (${id}, 'From+me@y.com', 's', '{}', '', 'guest', false, 'x', now())`.execute(db);
      for (const recipient of recipients) {
        await sql`insert into ${sql.id('forms', 'invitations')}
          (id, subscription_id, recipient, sender, message, status, next_at, created_at)
          values (${randomUUID()}, ${id}, ${recipient}, 'From+me@y.com', 'Hi', ${status}, now(), now())`.execute(
          db,
        );
      }
    }
    for (const email of ['c+2@x.com', 'gone+1@x.com', 'gone+2@x.com', 'gone@x.com']) {
      const table = email.startsWith('c') ? 'invited' : 'unsubscribed';
      await (
        table === 'invited'
          ? sql`insert into ${sql.id('forms', table)} (invitation_id, email, invited_at) values (${randomUUID()}, ${email}, now())`
          : sql`insert into ${sql.id('forms', table)} (email, created_at) values (${email}, now())`
      ).execute(db);
    }

    await shared.database.migrate('forms', formsMigrations);
    const mails = await db.selectFrom('invitations').selectAll().execute();
    const seen = mails.map((mail) =>
      [mail.kind, mail.recipient, mail.status, mail.subscription_id].join(' '),
    );
    expect(seen.sort()).toEqual(
      [
        `confirmation From+me@y.com waiting ${waiting}`,
        `invitation A+1@x.com unconfirmed ${waiting}`,
        `invitation C+2@x.com sent ${sent}`,
        `invitation b@x.com unconfirmed ${waiting}`,
      ].sort(),
    );
    for (const { recipient, mailbox } of mails) expect(mailbox).toBe(mailboxOf(recipient));
    expect(await db.selectFrom('invited').select('email').execute()).toEqual([{ email: 'c@x.com' }]);
    expect(await db.selectFrom('unsubscribed').select('email').execute()).toEqual([{ email: 'gone@x.com' }]);
  });
});
