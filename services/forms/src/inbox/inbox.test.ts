import { randomUUID } from 'node:crypto';
import { formSources } from '@site/contract';
import { JSON_API } from '@site/server/json-api';
import { createToken } from '@site/server/secrets';
import { readErrors } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { watchedLog } from '@site/server/testing/interval-clock';
import type { InboxResource, SubmissionResource } from '@site/contract/inbox.schema';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { createParts } from '../parts.ts';
import { createFindBrand } from '../kernel/brand.ts';
import { formsDefaults } from '../config.ts';
import { DAY_MS } from '@site/server/durations';
import { formsMigrations } from '../migrations.ts';
import { startNotices } from '../outbox/notices.ts';
import { startRetention } from '../retention.ts';
import { MAX_SPAM } from '../submissions/subscriptions.repository.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { newsletterEntry } from '../testing/newsletter-entry.ts';
import { storedSubmission } from '../testing/stored-submission.ts';
import { easyCaptcha, solveCaptcha } from '../testing/solve-captcha.ts';
import { startSmtp, unfolded } from '../testing/start-smtp.ts';

const adminToken = createToken();
const inboxToken = createToken();
const config = {
  ...formsDefaults,
  jwksUrl: 'http://127.0.0.1:1/jwks.json',
  appIds: ['site-app'],
  adminToken,
  inboxToken,
  rateLimit: { perAddress: 0, perGuest: 0 },
  captcha: easyCaptcha,
  postLimits: { formPostsPerHour: 0, referralsPerDay: 0 },
};
/** Characters with a special meaning in CSV files, terminals, emails or HTML. */
const HOSTILE = '=cmd|\'/c calc\'!A1 <img src=x onerror=alert(1)> "‮\u202e" ok';

describe('the inbox', () => {
  let shared: TestDatabase;
  let app: FastifyInstance;
  let now = Date.parse('2026-03-01T12:00:00Z');
  const db = () => shared.database.schema<FormsTables>('forms');

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
  });
  afterAll(() => shared.stop());
  beforeEach(async () => {
    now += 30 * DAY_MS;
    for (const table of ['subscriptions', 'access_log', 'notices', 'jobs'] as const)
      await db().deleteFrom(table).execute();
    app = await createApp(
      createParts(config, { database: shared.database, now: () => now, fetchLiveSite: null }),
    );
  });
  afterEach(() => app.close());

  const asOperator = { authorization: `Bearer ${adminToken}` };
  const asReader = (name: string) => ({
    authorization: `Bearer ${inboxToken}`,
    'inbox-reader': encodeURIComponent(name),
  });
  const subscribe = async (email: string, more: object = {}) => {
    now += 1_000;
    const answer = await app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: { appid: 'site-app', 'idempotency-key': randomUUID() },
      payload: { ...newsletterEntry(email), ...more },
    });
    expect([email, answer.statusCode]).toEqual([email, 201]);
    return answer.json<{ data: { id: string } }>().data.id;
  };
  const apply = async (email: string, more: object = {}) =>
    subscribe(email, {
      source_id: formSources['partner-application'],
      form_fields: JSON.stringify({
        first_name: HOSTILE,
        last_name: 'Lovelace',
        phone: '+44 20 7946 0000',
        business_name: 'Engines',
        website: '',
        country: 'GB',
        services: ['development'],
        how_heard: 'partner',
        captcha: await solveCaptcha(app, 'site-app'),
        ...more,
      }),
    });
  const list = (query: Record<string, string>, headers: Record<string, string> = asReader('Rita')) =>
    app.inject({ url: `/admin/submissions?${new URLSearchParams(query).toString()}`, headers });
  const listEmails = (answer: Awaited<ReturnType<typeof list>>) =>
    answer.json<{ data: SubmissionResource[] }>().data.map(({ attributes }) => attributes.email);
  const show = (id: string, headers: Record<string, string> = asReader('Rita')) =>
    app.inject({ url: `/admin/submissions/${id}`, headers });
  const mark = (id: string, state: string, name = 'Rita', given = id) =>
    app.inject({
      method: 'PATCH',
      url: `/admin/submissions/${id}`,
      headers: { ...asReader(name), 'content-type': JSON_API },
      payload: JSON.stringify({ data: { type: 'submissions', id: given, attributes: { state } } }),
    });
  const readAttributes = (answer: Awaited<ReturnType<typeof list>>) =>
    answer.json<{ data: SubmissionResource }>().data.attributes;
  const errorCode = (answer: Awaited<ReturnType<typeof list>>) => [
    answer.statusCode,
    readErrors(answer)[0]?.code,
  ];
  const newsletter = { 'filter[form]': 'newsletter' };
  const looks = () =>
    db()
      .selectFrom('access_log')
      .select(['by', 'action', 'form', 'submission', 'count'])
      .orderBy('at')
      .execute();

  test('returns new submissions; handled ones and spam only on request', async () => {
    const [ada, bob, eve] = [
      await subscribe('ada@example.com'),
      await subscribe('bob@example.com'),
      await subscribe('eve@example.com'),
    ];
    await subscribe('mallory@example.com', { reference_note: 'a program' });
    expect((await mark(bob, 'handled')).statusCode).toBe(200);
    expect((await mark(eve, 'spam')).statusCode).toBe(200);

    const of = async (state?: string) =>
      listEmails(await list({ ...newsletter, ...(state === undefined ? {} : { 'filter[state]': state }) }));
    expect(await of()).toEqual(['ada@example.com']);
    expect(await of('handled')).toEqual(['bob@example.com']);
    expect(await of('spam')).toEqual(['mallory@example.com', 'eve@example.com']);
    expect(await of('all')).toEqual(['bob@example.com', 'ada@example.com']);

    const counts = await app.inject({ url: '/admin/inboxes', headers: asReader('Rita') });
    const inboxes = counts.json<{ data: InboxResource[] }>().data;
    expect(inboxes.map(({ id }) => id)).toEqual(['newsletter', 'partner-application', 'referral']);
    expect(inboxes[0]?.attributes).toMatchObject({ new: 1, handled: 1, spam: 2 });

    // A mistake is corrected.
    expect(readAttributes(await mark(eve, 'new'))).toMatchObject({ state: 'new', marked_by: 'Rita' });
    expect(await of()).toEqual(['eve@example.com', 'ada@example.com']);
    expect(readAttributes(await show(ada))).toMatchObject({ state: 'new', marked_by: null, marked_at: null });
  });

  test('keeps the first author and time of a state', async () => {
    const id = await apply('ada@example.com');
    expect(readAttributes(await mark(id, 'handled', 'Rita'))).toMatchObject({
      state: 'handled',
      marked_by: 'Rita',
      marked_at: new Date(now).toISOString(),
    });
    const first = readAttributes(await show(id));
    now += DAY_MS;
    expect(readAttributes(await mark(id, 'handled', 'Tom'))).toEqual(first);
  });

  test('stores one of many concurrent marks', async () => {
    const id = await apply('ada@example.com');
    const names = Array.from({ length: 8 }, (_, index) => `reader ${index}`);
    const answers = await Promise.all(names.map((name) => mark(id, 'handled', name)));
    const kept = new Set(answers.map((answer) => readAttributes(answer).marked_by));
    expect(kept.size).toBe(1);
    expect((await looks()).filter(({ action }) => action === 'marked handled')).toHaveLength(8);
  });

  test('logs every read with the name from the registry, in any encoding', async () => {
    const name = 'Zoë "<ops>" \u202e=1+1';
    const id = await apply('ada@example.com');
    await list({ 'filter[form]': 'partner-application' }, asReader(name));
    now += 1_000;
    await list({ 'filter[form]': 'partner-application', lookFor: 'export', 'filter[state]': 'all' });
    now += 1_000;
    await show(id, asOperator);
    now += 1_000;
    await mark(id, 'spam', name);
    const form = formSources['partner-application'];
    expect(await looks()).toEqual([
      { by: name, action: 'listed', form, submission: null, count: 1 },
      { by: 'Rita', action: 'exported', form, submission: null, count: 1 },
      { by: 'ADMIN_TOKEN', action: 'shown', form, submission: id, count: 1 },
      { by: name, action: 'marked spam', form, submission: id, count: 1 },
    ]);
  });

  test('returns nothing if the read cannot be logged', async () => {
    await subscribe('ada@example.com');
    await db().schema.alterTable('access_log').renameTo('access_log_away').execute();
    try {
      const answer = await list(newsletter);
      expect(answer.statusCode).toBe(500);
      expect(answer.body).not.toContain('ada@');
    } finally {
      await db().schema.alterTable('access_log_away').renameTo('access_log').execute();
    }
  });

  test('returns submissions as stored, without the honeypot', async () => {
    const id = await apply('ada@example.com');
    const { fields, form } = readAttributes(await show(id));
    expect(form).toBe('partner-application');
    expect(fields).toMatchObject({
      first_name: HOSTILE.replaceAll('\u202e', ''),
      services: ['development'],
    });
    expect(Object.keys(fields)).not.toContain('reference_note');
  });

  test('accepts the registry with a user name and the admin token, and no other client', async () => {
    const id = await subscribe('ada@example.com');
    for (const headers of [{}, { authorization: `Bearer ${createToken()}`, 'inbox-reader': 'Rita' }]) {
      for (const answer of [
        await list(newsletter, headers),
        await show(id, headers),
        await app.inject({ url: '/admin/inboxes', headers }),
        await app.inject({ method: 'PATCH', url: `/admin/submissions/${id}`, headers, payload: {} }),
      ])
        expect(errorCode(answer)).toEqual([401, 'admin_token_invalid']);
    }
    const bearer = { authorization: `Bearer ${inboxToken}` };
    for (const reader of [
      {},
      { 'inbox-reader': '' },
      { 'inbox-reader': '%' },
      { 'inbox-reader': 'x'.repeat(201) },
      { 'inbox-reader': '%00' },
    ])
      expect(errorCode(await list(newsletter, { ...bearer, ...(reader as object) }))).toEqual([
        400,
        'request_malformed',
      ]);
    // The registry's token does not authorize erasure.
    const erase = await app.inject({
      method: 'DELETE',
      url: '/admin/visitors/ada@example.com',
      headers: asReader('Rita'),
    });
    expect(errorCode(erase)).toEqual([401, 'admin_token_invalid']);
    expect((await looks()).length).toBe(0);
  });

  test.each([
    ['Ш'.repeat(200), 'Ш'.repeat(200)],
    ['Łukasz O’Brien 東京 😀', 'Łukasz O’Brien 東京 😀'],
    ['a\0b', 'ab'],
  ])('accepts an operator with any name of up to 200 characters: %j', async (name, noted) => {
    expect((await list(newsletter, asReader(name))).statusCode).toBe(200);
    expect((await looks()).map(({ by }) => by)).toEqual([noted]);
  });

  test('rejects invalid parameters by name', async () => {
    const id = await subscribe('ada@example.com');
    expect(errorCode(await list({}))).toEqual([400, 'request_malformed']);
    expect(errorCode(await list({ ...newsletter, 'filter[state]': 'lost' }))).toEqual([
      400,
      'request_malformed',
    ]);
    expect(errorCode(await list({ ...newsletter, 'page[size]': '501' }))).toEqual([400, 'request_malformed']);
    for (const cursor of [
      '1~x',
      `1~${'-'.repeat(36)}`,
      `1~${'a'.repeat(36)}`,
      `~${id}`,
      `1~${id}\n`,
      `${'9'.repeat(14)}~${id}`,
    ])
      expect([cursor, ...errorCode(await list({ ...newsletter, 'page[before]': cursor }))]).toEqual([
        cursor,
        400,
        'request_malformed',
      ]);
    // The largest time that a cursor can hold.
    expect(listEmails(await list({ ...newsletter, 'page[before]': `${'9'.repeat(13)}~${id}` }))).toEqual([
      'ada@example.com',
    ]);
    expect(errorCode(await list({ ...newsletter, 'filter[email]': 'a' }))).toEqual([
      400,
      'query_unsupported',
    ]);
    expect(errorCode(await show(randomUUID()))).toEqual([404, 'submission_unknown']);
    expect(errorCode(await show('__proto__'))).toEqual([404, 'submission_unknown']);
    expect(errorCode(await mark(randomUUID(), 'handled'))).toEqual([404, 'submission_unknown']);
    expect(errorCode(await mark(id, 'lost'))).toEqual([422, 'body_invalid']);
    expect(errorCode(await mark(id, 'handled', 'Rita', randomUUID()))).toEqual([
      409,
      'submission_id_mismatch',
    ]);
    expect(listEmails(await list(newsletter))).toEqual(['ada@example.com']);
  });

  test('returns pages without repetition or gaps, also for equal times', async () => {
    const at = new Date(now);
    const emails = Array.from({ length: 7 }, (_, index) => `reader-${index}@example.com`);
    await db()
      .insertInto('subscriptions')
      .values(emails.map((email) => ({ ...stored(at), email })))
      .execute();
    const seen: string[] = [];
    let before: string | null = null;
    do {
      const page = await list({
        ...newsletter,
        'page[size]': '3',
        ...(before === null ? {} : { 'page[before]': before }),
      });
      seen.push(...listEmails(page));
      ({ before } = page.json<{ meta: { before: string | null } }>().meta);
    } while (before !== null);
    expect(seen.toSorted()).toEqual(emails);
  });

  const stored = (created_at: Date, more: object = {}) =>
    storedSubmission({
      source_id: formSources.newsletter,
      form_fields: 'ada@example.com',
      verified_by: 'rate_limit',
      created_at,
      ...more,
    });

  test('keeps manually marked spam for 30 days from then, whatever programs send', async () => {
    const old = new Date(now - 400 * DAY_MS);
    const [byPerson, byProgram] = [stored(old), stored(old, { suspected_spam: true })];
    await db().insertInto('subscriptions').values([byPerson, byProgram]).execute();
    await mark(byPerson.id, 'spam');
    await db()
      .insertInto('subscriptions')
      .values(Array.from({ length: MAX_SPAM }, () => stored(new Date(now), { suspected_spam: true })))
      .execute();
    await subscribe('mallory@example.com', { reference_note: 'one more' });
    const left = async () =>
      (
        await db()
          .selectFrom('subscriptions')
          .select('id')
          .where('id', 'in', [byPerson.id, byProgram.id])
          .execute()
      ).map(({ id }) => id);
    expect(await left()).toEqual([byPerson.id]);
    const retain = (at: number) =>
      startRetention({
        db: db(),
        retention: formsDefaults.identityRetention,
        log: watchedLog(),
        now: () => at,
      })();
    await retain(now + 29 * DAY_MS);
    expect(await left()).toEqual([byPerson.id]);
    await retain(now + 31 * DAY_MS);
    expect(await left()).toEqual([]);
  });

  test('deletes its access log after three years', async () => {
    await list(newsletter);
    for (const [days, left] of [
      [1095, 1],
      [1097, 0],
    ] as const) {
      await startRetention({
        db: db(),
        retention: formsDefaults.identityRetention,
        log: watchedLog(),
        now: () => now + days * DAY_MS,
      })();
      expect([days, (await looks()).length]).toEqual([days, left]);
    }
  });

  test("notifies the configured address of new submissions of the site's own forms, and titles cannot inject headers", async () => {
    const smtp = await startSmtp();
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const recipients = { 'partner-application': 'sales@example.com', newsletter: 'news@example.com' };
    const mail = { smtpUrl: smtp.url, from: 'hello@site.example' };
    const findBrand = createFindBrand(db(), { hasRegistry: false, from: mail.from });
    await apply('ada@example.com');
    await subscribe('bob@example.com');
    await subscribe('mallory@example.com', { reference_note: 'a program' });
    await db()
      .updateTable('notices')
      .set({ title: 'Apply\r\nBcc: victim@example.com\r\n\r\nBody' })
      .where('source_id', '=', formSources['partner-application'])
      .execute();
    const look = () => startNotices({ db: db(), mail, findBrand, recipients, log, now: () => now })();
    // Each stops after its current email.
    for (const form of Object.keys(recipients)) expect([form, await look()]).toEqual([form, undefined]);
    await smtp.close();
    expect(smtp.mails.map(({ to }) => to).toSorted()).toEqual([['news@example.com'], ['sales@example.com']]);
    const of = (to: string) => smtp.mails.find((each) => each.to[0] === to)?.text ?? '';
    const [headers = ''] = of('sales@example.com').split('\r\n\r\n');
    expect(headers).not.toMatch(/^bcc:/im);
    expect(unfolded(of('sales@example.com'))).toContain('npx @site/cli inbox partner-application');
    expect(unfolded(of('news@example.com'))).toContain('You have 1 new submission of');
    expect(smtp.mails.map(({ text }) => text).join('')).not.toMatch(/ada@|bob@|Lovelace/);
  });
});
