import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { formSources, GUEST_ROLE } from '@site/contract';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { watchedLog } from '@site/server/testing/interval-clock';
import { formsDefaults } from './config.ts';
import { createIdentitiesRepository } from './identities/identities.ts';
import { newConfirmation } from './outbox/outbox.repository.ts';
import { DAY_MS } from '@site/server/durations';
import { formsMigrations } from './migrations.ts';
import { retention, startRetention } from './retention.ts';
import type { FormsTables } from './kernel/tables.ts';
import { storedSubmission } from './testing/stored-submission.ts';

describe('retention', () => {
  let shared: TestDatabase;
  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
  });
  afterAll(() => shared.stop());

  test('removes an identity that was not registered again for 13 months, and no other', async () => {
    const db = shared.database.schema<FormsTables>('forms');
    const identities = createIdentitiesRepository(db);
    const begin = Date.parse('2026-03-01T12:00:00Z');
    const [gone, returning] = [randomUUID(), randomUUID()];
    const registerOn = (day: number, id: string) =>
      identities.register(
        { unique_id: id, role_name: GUEST_ROLE.name, role_unique_id: GUEST_ROLE.unique_id },
        new Date(begin + day * DAY_MS),
      );
    await registerOn(0, gone);
    await registerOn(0, returning);
    await registerOn(10, returning);

    const left: number[] = [];
    for (const day of [391, 393, 403]) {
      await startRetention({
        db,
        retention: formsDefaults.identityRetention,
        log: watchedLog(),
        now: () => begin + day * DAY_MS,
      })();
      left.push([await identities.find(gone), await identities.find(returning)].filter(Boolean).length);
    }
    expect(left).toEqual([2, 1, 0]);
  });

  test('every database table has a line with its retention', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'forms'`.execute(
      shared.database.schema('forms'),
    );
    const tables = rows.map(({ name }) => name).filter((name) => name !== 'migrations');
    expect([...new Set(retention.map(({ table }) => table as string))].sort()).toEqual(tables.sort());
  });

  test('an unconfirmed referral is removed when its links have expired', async () => {
    const db = shared.database.schema<FormsTables>('forms');
    const begin = Date.parse('2028-03-01T12:00:00Z');
    const referral = (email: string) =>
      storedSubmission({
        email,
        source_id: formSources.referral,
        form_fields: '{}',
        content_hash: randomUUID(),
        created_at: new Date(begin),
      });
    const asked = (of: ReturnType<typeof referral>, day: number, more: object) => ({
      ...newConfirmation('confirmation', of, new Date(begin + day * DAY_MS)),
      ...more,
    });
    const [sentLate, askedAgain, neverSent] = [
      referral('a@example.com'),
      referral('b@example.com'),
      referral('c@example.com'),
    ];
    await db.insertInto('subscriptions').values([sentLate, askedAgain, neverSent]).execute();
    await db
      .insertInto('emails')
      .values([
        asked(sentLate, 0, { status: 'sent', valid_until: new Date(begin + 30.5 * DAY_MS) }),
        asked(askedAgain, 20, {}),
        // Of a service without email.
        asked(neverSent, 0, {}),
      ])
      .execute();
    const left = async (day: number) => {
      const now = () => begin + day * DAY_MS;
      await startRetention({ db, retention: formsDefaults.identityRetention, log: watchedLog(), now })();
      const own = [sentLate, askedAgain, neverSent].map(({ email }) => email);
      const rows = await db
        .selectFrom('subscriptions')
        .select('email')
        .where('email', 'in', own)
        .orderBy('email')
        .execute();
      return rows.map(({ email }) => email);
    };
    expect(await left(29)).toEqual(['a@example.com', 'b@example.com', 'c@example.com']);
    expect(await left(30.2)).toEqual(['a@example.com', 'b@example.com']);
    expect(await left(31.2)).toEqual(['b@example.com']);
    expect(await left(51.2)).toEqual([]);
  });

  test('forms, invited addresses and spent captchas are removed when their retention ends, not before', async () => {
    const db = shared.database.schema<FormsTables>('forms');
    const begin = Date.parse('2030-03-01T12:00:00Z');
    const at = new Date(begin);
    const form = (source_id: string, more: object = {}) =>
      storedSubmission({
        email: `${randomUUID()}@example.com`,
        source_id,
        form_fields: '{}',
        content_hash: randomUUID(),
        created_at: at,
        ...more,
      });
    const stays = form(formSources.newsletter, { confirmed_at: at });
    const twice = form(formSources.newsletter, {
      confirmed_at: at,
      email: stays.email.replace('@', '+again@'),
    });
    const readerless = form(formSources.newsletter, { confirmed_at: at });
    const unanswered = form(formSources.newsletter, { remove_at: new Date(begin + 30 * DAY_MS) });
    const referral = form(formSources.referral, { confirmed_at: at });
    const unconfirmed = form(formSources.referral);
    const application = form(formSources['partner-application']);
    const spam = form(formSources.referral, { suspected_spam: true });
    const all = [stays, twice, readerless, unanswered, referral, unconfirmed, application, spam];
    await db.insertInto('subscriptions').values(all).execute();
    const reader = { subscription_id: stays.id, email: stays.email, mailbox: stays.email };
    await db
      .insertInto('subscribers')
      .values({ id: randomUUID(), ...reader, confirmed_at: at, wording: 'Send it.' })
      .execute();
    const invited = { invitation_id: randomUUID(), email: 'invited@example.com', invited_at: at };
    await db.insertInto('invited').values(invited).execute();
    await db.insertInto('spent_challenges').values({ id: randomUUID(), expires_at: at }).execute();

    const left = async (day: number) => {
      const now = () => begin + day * DAY_MS;
      await startRetention({ db, retention: formsDefaults.identityRetention, log: watchedLog(), now })();
      const ids = await db.selectFrom('subscriptions').select('id').execute();
      const known = new Set(ids.map(({ id }) => id));
      const forms = { stays, twice, readerless, unanswered, referral, unconfirmed, application, spam };
      const names = Object.entries(forms).flatMap(([name, { id }]) => (known.has(id) ? [name] : []));
      const count = async (table: 'invited' | 'spent_challenges') =>
        (await db.selectFrom(table).selectAll().execute()).length;
      return [...names, await count('invited'), await count('spent_challenges')];
    };
    expect(await left(1)).toEqual([
      'stays',
      'twice',
      'unanswered',
      'referral',
      'unconfirmed',
      'application',
      'spam',
      1,
      0,
    ]);
    expect(await left(31)).toEqual(['stays', 'twice', 'referral', 'application', 1, 0]);
    expect(await left(395)).toEqual(['stays', 'twice', 'referral', 'application', 1, 0]);
    expect(await left(397)).toEqual(['stays', 'twice', 'application', 0, 0]);
    expect(await left(1097)).toEqual(['stays', 'twice', 0, 0]);
  });
});

test('docs/retention.md lists every rule of the job', () => {
  const [document] = readFileSync('docs/retention.md', 'utf8').replaceAll(/ +/g, ' ').split('## Gateway');
  for (const { table, rows, kept, why } of retention) {
    expect(document).toContain(`| \`${table}\` | ${rows} | ${kept} | ${why} |`);
  }
  expect(document?.match(/^\| `/gm)).toHaveLength(retention.length);
});

test('the privacy page promises the same', () => {
  const page = readFileSync('mfe-policies/src/pages/privacy-page.tsx', 'utf8').replaceAll(/\s+/g, ' ');
  const findRetention = (rows: string) => retention.find((each) => each.rows.startsWith(rows))?.kept;
  expect(page).toContain('Guest identities: 13 months after the last visit.');
  expect(findRetention('identities')).toMatch(/^392 days/);
  expect(page).toContain(
    'Newsletter addresses: until you unsubscribe, which deletes them immediately. Unconfirmed addresses: at most 33 days after they were last entered, ' +
      'because our confirmation email may be delayed by up to 30 days and its link works for two.',
  );
  expect(findRetention('confirmed newsletter')).toBe('until they unsubscribe');
  // And up to a day until the job runs.
  expect(findRetention('unconfirmed newsletter')).toBe('32 days after the last sign-up');
  expect(page).toContain('Referrals: 13 months, so that we can agree on your reward.');
  expect(findRetention('referrals with')).toBe('396 days');
  expect(page).toContain('Unconfirmed referrals: 30 days, or until the last link expires.');
  expect(findRetention('unconfirmed referrals')).toBe(
    '30 days, or longer while a confirmation link is valid',
  );
  expect(page).toContain('Invited addresses: 13 months after the invitation.');
  expect(findRetention('invited addresses')).toBe('396 days');
  expect(page).toContain('Partner applications: three years.');
  expect(findRetention('partner applications')).toBe('1096 days');
  expect(page).toContain('Suspected spam: 30 days after we marked it.');
  expect(findRetention('suspected spam')).toBe('30 days, or 30 days after it was marked');
});
