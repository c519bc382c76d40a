import { createHmac, randomUUID } from 'node:crypto';
import { formSources, GUEST_ROLE } from '@site/contract';
import { createToken } from '@site/server/secrets';
import { readData, readErrors } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { FastifyInstance } from 'fastify';
import { createLocalJWKSet, exportJWK, generateKeyPair, SignJWT, type CryptoKey } from 'jose';
import { sql } from 'kysely';
import { createApp } from './app.ts';
import { createParts, type FormsParts } from './parts.ts';
import { formsDefaults } from './config.ts';
import { formsMigrations } from './migrations.ts';
import type { FormsTables } from './kernel/tables.ts';
import { easyCaptcha, solveCaptcha } from './testing/solve-captcha.ts';

const adminToken = createToken();

describe("a visitor's data", () => {
  let shared: TestDatabase;
  let parts: FormsParts;
  let app: FastifyInstance;
  let key: CryptoKey;
  const now = Date.parse('2026-03-01T12:00:00Z');
  const at = new Date(now).toISOString();

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
    const pair = await generateKeyPair('EdDSA', { extractable: true });
    key = pair.privateKey;
    const keys = createLocalJWKSet({
      keys: [{ ...(await exportJWK(pair.publicKey)), kid: 'k1', alg: 'EdDSA' }],
    });
    parts = createParts(
      {
        ...formsDefaults,
        jwksUrl: 'http://127.0.0.1:1/',
        captcha: easyCaptcha,
        postLimits: { formPostsPerHour: 0, referralsPerDay: 0 },
        adminToken,
        origins: ['https://site.example'],
      },
      { database: shared.database, now: () => now, keys },
    );
    app = await createApp(parts);
  });
  afterAll(async () => {
    await app.close();
    await shared.stop();
  });

  /** A visitor with an identity, a newsletter subscription and a referral with two recipients. */
  async function newVisitor(email: string, recipients = ['b@example.org', 'a@example.org']): Promise<string> {
    const id = randomUUID();
    const claims = { user_unique_id: id, iss: 'gateway', aud: 'site', exp: now / 1000 + 60 };
    const token = await new SignJWT(claims).setProtectedHeader({ alg: 'EdDSA', kid: 'k1' }).sign(key);
    const post = async (url: string, payload: object) => {
      const answer = await app.inject({
        method: 'POST',
        url,
        headers: { authorization: `Bearer ${token}` },
        payload,
      });
      expect(answer.statusCode).toBe(201);
    };
    await post(`/identities/${id}/register`, {
      unique_id: id,
      role_name: GUEST_ROLE.name,
      role_unique_id: GUEST_ROLE.unique_id,
      email,
    });
    const subscription = { email, visitor_unique_id: id, visitor_type: 'guest' };
    await post('/subscriptions', { ...subscription, source_id: formSources.newsletter, form_fields: email });
    const { id: subscription_id } = await db()
      .selectFrom('subscriptions')
      .select('id')
      .where('visitor_unique_id', '=', id)
      .executeTakeFirstOrThrow();
    const subscriber = { id: randomUUID(), subscription_id, email, mailbox: email.toLowerCase() };
    await db()
      .insertInto('subscribers')
      .values({ ...subscriber, confirmed_at: new Date(now), wording: 'Send it.' })
      .execute();
    await post('/subscriptions', {
      ...subscription,
      source_id: formSources.referral,
      form_fields: JSON.stringify({
        to_emails: recipients,
        message: 'Look',
        captcha: await solveCaptcha(app),
      }),
    });
    return id;
  }
  const admin = (method: 'GET' | 'DELETE', id: string, token = adminToken) =>
    app.inject({ method, url: `/admin/visitors/${id}`, headers: { authorization: `Bearer ${token}` } });
  const db = () => shared.database.schema<FormsTables>('forms');
  /** All values of all columns of all tables, as text. */
  async function everything(): Promise<string> {
    const { rows: tables } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'forms'`.execute(db());
    expect(tables.map(({ name }) => name)).toEqual(
      expect.arrayContaining(['identities', 'invited', 'audit']),
    );
    const texts = await Promise.all(
      tables.map(({ name }) =>
        sql<{ line: string }>`select t::text as line from ${sql.id('forms', name)} as t`.execute(db()),
      ),
    );
    return texts.flatMap(({ rows }) => rows.map(({ line }) => line)).join(' ');
  }

  test('is exported completely: all columns of the identity, its submissions and invited addresses', async () => {
    const id = await newVisitor('ada@example.com');
    await newVisitor('grace@example.com');
    const answer = await admin('GET', id);
    expect(answer.statusCode).toBe(200);
    const { attributes } = readData(answer) as unknown as {
      attributes: Record<
        'identities' | 'subscriptions' | 'emails' | 'subscribers',
        Record<string, unknown>[]
      >;
    };
    expect(attributes.identities).toEqual([
      {
        unique_id: id,
        role_name: GUEST_ROLE.name,
        role_unique_id: GUEST_ROLE.unique_id,
        email: 'ada@example.com',
        name: '',
        username: '',
        registered_at: at,
        last_seen_at: at,
      },
    ]);
    expect(
      attributes.subscriptions.map((row) => [row['source_id'], row['email'], row['visitor_unique_id']]),
    ).toEqual(
      expect.arrayContaining([
        [formSources.newsletter, 'ada@example.com', id],
        [formSources.referral, 'ada@example.com', id],
      ]) as unknown,
    );
    expect(attributes.subscriptions).toHaveLength(2);
    expect(attributes.emails.map((row) => [row['recipient'], row['sender'], row['message']])).toEqual([
      ['a@example.org', 'ada@example.com', 'Look'],
      // Confirmation emails to the sender and to the newsletter address.
      ['ada@example.com', 'ada@example.com', ''],
      ['ada@example.com', 'ada@example.com', ''],
      ['b@example.org', 'ada@example.com', 'Look'],
    ]);
    for (const table of ['subscriptions', 'emails', 'subscribers'] as const) {
      const row = await db().selectFrom(table).selectAll().limit(1).executeTakeFirstOrThrow();
      expect(Object.keys(attributes[table][0] as object).sort()).toEqual(Object.keys(row).sort());
    }
  });

  test('is in no column of any table after its erasure, and an audit entry counts the rows', async () => {
    const id = await newVisitor('erased@example.com');
    const other = await newVisitor('kept@example.com');
    const answer = await admin('DELETE', id);
    const rows = { identities: 1, subscriptions: 2, emails: 4, subscribers: 1 };
    expect([answer.statusCode, readData(answer).attributes]).toEqual([200, { erased_at: at, rows }]);

    expect(await everything()).not.toMatch(new RegExp(`${id}|erased@`));
    expect(await everything()).toContain('kept@example.com');
    const { id: entry } = readData(answer);
    expect(await db().selectFrom('audit').selectAll().where('id', '=', entry).execute()).toEqual([
      { id: entry, at: new Date(now), action: 'visitor-erased', rows },
    ]);
    expect(readData(await admin('GET', other)).attributes).toMatchObject({
      identities: [{ unique_id: other }],
    });
    const again = await admin('DELETE', id);
    expect([again.statusCode, readErrors(again)[0]?.code]).toEqual([404, 'visitor_unknown']);
  });

  test('is found and erased by email address, also in submissions of others, whose other data stays', async () => {
    await newVisitor('by-mail@example.com');
    await newVisitor('not.by-mail@example.com');
    await newVisitor('friend@example.com', ['By-Mail@example.com', 'third@example.org']);
    const skipped = ['By-Mail@example.com', 'third@example.org'].map((email) => ({
      email,
      reason: 'earlier',
    }));
    await db()
      .updateTable('subscriptions')
      .set({ skipped: JSON.stringify(skipped) })
      .where('email', '=', 'friend@example.com')
      .where('source_id', '=', formSources.referral)
      .execute();
    await db()
      .updateTable('emails')
      .set({ status: 'waiting', next_at: new Date(0) })
      .execute();
    while (await parts.outbox.claim(new Date(now), new Date(now + 1)));

    const exported = readData(await admin('GET', 'BY-mail@example.com')).attributes as Record<
      string,
      unknown[]
    >;
    const counted = Object.fromEntries(Object.entries(exported).map(([table, rows]) => [table, rows.length]));
    const rows = {
      identities: 1,
      subscriptions: 2,
      emails: 5,
      subscribers: 1,
      invited: 1,
      mentions: 1,
      unsubscribed: 0,
    };
    expect(counted).toEqual(rows);
    const answer = await admin('DELETE', 'by-mail@example.com');
    expect([answer.statusCode, readData(answer).attributes]).toEqual([200, { erased_at: at, rows }]);

    expect(await everything()).not.toMatch(/(?<!not\.)by-mail@/i);
    expect(await everything()).toContain('not.by-mail@example.com');
    expect(await everything()).toMatch(/friend@example.com.*third@example.org/);
    const again = await admin('DELETE', 'by-mail@example.com');
    expect([again.statusCode, readErrors(again)[0]?.code]).toEqual([404, 'visitor_unknown']);
  });

  test('leaves no hash that confirms a guessed address after an erasure: in keys of plain posts and in counters', async () => {
    const form = new URLSearchParams({
      source_id: formSources.referral,
      email: 'plain-sender@example.com',
      to_emails: 'plain-friend@example.com, other@example.org',
    });
    const posted = await app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: { 'content-type': 'application/x-www-form-urlencoded', origin: 'https://site.example' },
      payload: form.toString(),
    });
    expect(posted.statusCode).toBe(303);
    while (await parts.outbox.claim(new Date(now), new Date(now + 1)));
    const row = await db()
      .selectFrom('subscriptions')
      .select(['content_hash', 'idempotency_key'])
      .where('email', '=', 'plain-sender@example.com')
      .executeTakeFirstOrThrow();
    const secret = await parts.readSecret('counters');
    const counted = createHmac('sha256', secret)
      .update('confirmations\nplain-sender@example.com')
      .digest('base64url');
    const before = await everything();
    expect([before.includes(row.content_hash), before.includes(counted)]).toEqual([true, true]);

    await admin('DELETE', 'plain-friend@example.com');
    expect(await everything()).not.toContain(row.content_hash);
    expect(await everything()).toContain('plain-sender@example.com');
    await admin('DELETE', 'plain-sender@example.com');
    expect(await everything()).not.toContain(counted);
  });

  test('is found and erased in every spelling of a mailbox: no remaining row confirms a guess', async () => {
    await newVisitor('Folded+news@example.com');
    await newVisitor('unfolded@example.com', [
      'folded+1@Example.com',
      'FOLDED+2@example.com',
      'x@example.org',
    ]);
    expect(await everything()).toMatch(/(?<!un)folded[@+]/i);
    expect((await admin('DELETE', 'folded@example.com')).statusCode).toBe(200);
    expect(await everything()).not.toMatch(/(?<!un)folded[@+]/i);
    expect(await everything()).toMatch(/unfolded@example.com.*x@example.org/);
  });

  test('requires the admin token', async () => {
    const id = await newVisitor('guarded@example.com');
    for (const token of ['', 'x', createToken()]) {
      for (const answer of [await admin('GET', id, token), await admin('DELETE', id, token)]) {
        expect([answer.statusCode, readErrors(answer)[0]?.code]).toEqual([401, 'admin_token_invalid']);
      }
    }
    expect((await admin('GET', id)).statusCode).toBe(200);
  });
});
