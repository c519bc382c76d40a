import { randomUUID } from 'node:crypto';
import { formSources } from '@site/contract';
import { backoff, MAX_RETRIES } from '@site/contract/http';
import { readData } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { createParts, type FormsParts } from '../parts.ts';
import { formsDefaults } from '../config.ts';
import { formsMigrations } from '../migrations.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { easyCaptcha, solveCaptcha } from '../testing/solve-captcha.ts';
import { readMail, startSmtp, unfolded, type TestSmtp } from '../testing/start-smtp.ts';
import { createMailer, FIRST_DELAY_MS, sendEmails, startOutbox } from './send-emails.ts';

const site = 'https://site.example';
const publicUrl = 'https://api.example/forms/';
const YEAR_MS = 365 * 24 * 3_600_000;
const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

describe('emails', () => {
  let shared: TestDatabase;
  let parts: FormsParts;
  let app: FastifyInstance;
  let smtp: TestSmtp;
  let now = Date.parse('2026-03-01T12:00:00Z');

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
    const config = {
      ...formsDefaults,
      jwksUrl: 'http://127.0.0.1:1/',
      origins: [site],
      rateLimit: { perAddress: 0, perGuest: 0 },
      captcha: easyCaptcha,
      postLimits: { formPostsPerHour: 0, referralsPerDay: 0 },
      mailLimits: { confirmationsPerSender: 0, invitationsPerSender: 0, mailsPerDomain: 0, mailsPerDay: 0 },
    };
    parts = createParts(config, { database: shared.database, now: () => now });
    app = await createApp(parts);
  });
  afterAll(async () => {
    await app.close();
    await shared.stop();
  });
  beforeEach(async () => {
    smtp = await startSmtp();
    now += 7 * 24 * 3_600_000;
  });
  afterEach(() => smtp.close());

  const findBrand = () => Promise.resolve({ name: 'Blocks' });
  const mail = () => ({ smtpUrl: smtp.url, from: 'Blocks <hello@blocks.example>' });
  const sendDue = (goOn?: () => boolean, outbox = parts.outbox) =>
    sendEmails(
      {
        outbox,
        send: createMailer({ ...parts, mail: mail(), findBrand, publicUrl, site }),
        now: () => now,
        log,
      },
      goOn,
    );
  const recipient = () => `${randomUUID()}@example.com`;
  async function refer(toEmails: string[], message = 'Look at this', email = 'ada@example.com') {
    const answer = await app.inject({
      method: 'POST',
      url: '/subscriptions',
      payload: {
        email,
        source_id: formSources.referral,
        form_fields: JSON.stringify({ to_emails: toEmails, message, captcha: await solveCaptcha(app) }),
        visitor_unique_id: '',
        visitor_type: 'guest',
      },
    });
    expect(answer.statusCode).toBe(201);
    const { id } = readData(answer);
    await confirm(id);
    return id;
  }
  /** Confirms like the sender, whose email is not sent here. */
  async function confirm(subscription: string) {
    const asked = await shared.database
      .schema<FormsTables>('forms')
      .updateTable('emails')
      .set({ status: 'sent', valid_until: new Date(now + 1000) })
      .where('subscription_id', '=', subscription)
      .where('kind', '=', 'confirmation')
      .returning('id')
      .executeTakeFirstOrThrow();
    const url = `/${await parts.links.createPath('confirm', asked.id)}`;
    expect((await app.inject({ method: 'POST', url })).statusCode).toBe(200);
  }
  const findRow = (email: string) =>
    shared.database
      .schema<FormsTables>('forms')
      .selectFrom('emails')
      .selectAll()
      .where('recipient', '=', email)
      .executeTakeFirstOrThrow();
  const unsubscribePath = (text: string) =>
    /<https:\/\/api\.example\/forms(\/unsubscribe\/[^>]+)>/.exec(unfolded(text))![1]!;

  test("are sent to each recipient separately, in our name, with the referrer's message and address", async () => {
    const [first, second] = [recipient(), recipient()];
    const referral = await refer(
      [first, second],
      'Look at this <img src=x onerror="a()">\r\n.\r\nBcc: everybody\u2028From: us\u202e',
    );
    await sendDue();
    expect(smtp.mails.map(({ to }) => to).sort()).toEqual([[first], [second]].sort());
    const { headers, text: body, html } = readMail(smtp.mails[0]!.text);
    expect(headers).toMatch(/^From: Blocks <hello@blocks\.example>/m);
    expect(headers).toMatch(/^Reply-To: ada@example\.com/m);
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click/m);
    expect(headers).not.toMatch(/^Bcc/im);
    expect(body).toContain(
      'The lines after ">" were written by ada@example.com, not by us:\n\n> Look at this <img src=x onerror="a()">\n> .\n> Bcc: everybody\n> From: us\n',
    );
    expect(html).toContain(
      'Look at this &lt;img src=x onerror=&quot;a()&quot;&gt;<br />.<br />Bcc: everybody<br />From: us',
    );
    expect(html).not.toContain('<img');
    // Identifies the referrer if the recipient becomes a customer.
    expect(body).toContain(`Take a look: ${site}/home?referral=${referral}`);
    expect(html).toContain(`href="${site}/home?referral=${referral}"`);
    expect(body).toContain(unsubscribePath(smtp.mails[0]!.text));
    expect(await findRow(first)).toMatchObject({ status: 'sent', attempts: 1, last_error: null });

    await sendDue();
    expect(smtp.mails).toHaveLength(2);
  });

  test('are sent once when several instances process the outbox', async () => {
    const emails = Array.from({ length: 5 }, recipient);
    await refer(emails);
    await Promise.all([sendDue(), sendDue(), sendDue()]);
    expect(smtp.mails.map(({ to }) => to[0]).sort()).toEqual(emails.sort());
  });

  test('are retried with growing delays while the server is down, at most ten times, and then given up', async () => {
    const email = recipient();
    await refer([email]);
    smtp.refuse = () => 451;
    const delays: number[] = [];
    for (let attempt = 1; attempt <= MAX_RETRIES + 1; attempt++) {
      await sendDue();
      const row = await findRow(email);
      expect(row).toMatchObject({ attempts: attempt, last_error: 'EENVELOPE 451' });
      if (row.status === 'failed') break;
      delays.push(row.next_at.getTime() - now);
      now = row.next_at.getTime() - 1;
      await sendDue();
      expect((await findRow(email)).attempts).toBe(attempt);
      now += 1;
    }
    expect(delays).toEqual(
      Array.from({ length: MAX_RETRIES }, (_, index) => backoff(index + 1, FIRST_DELAY_MS)),
    );
    expect(await findRow(email)).toMatchObject({ status: 'failed', attempts: MAX_RETRIES + 1 });
    smtp.refuse = () => null;
    now += YEAR_MS;
    await sendDue();
    expect(smtp.mails).toEqual([]);
  });

  test('arrive when the server is up again', async () => {
    const email = recipient();
    await refer([email]);
    smtp.refuse = () => 421;
    await sendDue();
    smtp.refuse = () => null;
    now += FIRST_DELAY_MS;
    await sendDue();
    expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
    expect(await findRow(email)).toMatchObject({ status: 'sent', attempts: 2 });
  });

  test('to an unknown address are given up immediately, and no address is logged', async () => {
    const [nobody, somebody] = [recipient(), recipient()];
    await refer([nobody, somebody]);
    smtp.refuse = (address) => (address === nobody ? 550 : null);
    log.warn.mockClear();
    await sendDue();
    expect(await findRow(nobody)).toMatchObject({
      status: 'failed',
      attempts: 1,
      last_error: 'EENVELOPE 550',
    });
    expect(await findRow(somebody)).toMatchObject({ status: 'sent' });
    expect(JSON.stringify(log.warn.mock.calls)).not.toContain('@example.com');
  });

  test('that were sent do not count as failed if their state cannot be stored', async () => {
    const email = recipient();
    await refer([email]);
    log.warn.mockClear();
    const away = new Error('The database is away.');
    const sending = sendDue(() => true, { ...parts.outbox, finish: () => Promise.reject(away) });
    await expect(sending).rejects.toBe(away);
    expect(smtp.mails).toHaveLength(1);
    expect(log.warn).not.toHaveBeenCalled();
    expect(await findRow(email)).toMatchObject({ status: 'waiting', last_error: null });
    now += 5 * 60_000;
    await sendDue();
    expect(smtp.mails).toHaveLength(2);
    expect(await findRow(email)).toMatchObject({ status: 'sent', attempts: 2 });
  });

  test('of a crashed process are adopted by another one', async () => {
    const email = recipient();
    await refer([email]);
    await parts.outbox.claim(new Date(now), new Date(now + 60_000));
    await sendDue();
    expect(smtp.mails).toEqual([]);
    now += 60_000;
    await sendDue();
    expect(smtp.mails).toHaveLength(1);
  });

  test('are never sent to an unsubscribed address, in any case, not even queued ones', async () => {
    const email = recipient();
    await refer([email]);
    await sendDue();
    const path = unsubscribePath(smtp.mails[0]!.text);

    const page = await app.inject(path);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<form method="post"><button>Unsubscribe</button></form>');
    await refer([recipient()]);
    now += YEAR_MS;
    await refer([email], 'Opening the link alone changes nothing');
    await sendDue();
    expect(smtp.mails.filter(({ to }) => to[0] === email)).toHaveLength(2);

    now += YEAR_MS;
    await refer([email.toUpperCase().replace('EXAMPLE.COM', 'example.com')], 'Once more');
    const done = await app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: 'List-Unsubscribe=One-Click',
    });
    expect([done.statusCode, done.body.includes('You are unsubscribed')]).toEqual([200, true]);
    const again = await app.inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
    expect(again.statusCode).toBe(200);
    await refer([email], 'And again', recipient());
    await sendDue();
    expect(smtp.mails.filter(({ to }) => to[0]?.toLowerCase() === email)).toHaveLength(2);
    const rows = await shared.database
      .schema<FormsTables>('forms')
      .selectFrom('emails')
      .select(['status', 'message'])
      .where('recipient', 'in', [email, email.toUpperCase().replace('EXAMPLE.COM', 'example.com')])
      .orderBy('message')
      .execute();
    expect(rows.map(({ status }) => status).sort()).toEqual(['sent', 'sent', 'unsubscribed', 'unsubscribed']);
  });

  test('reach an address once a year, in any case and from any referrer, with the same response', async () => {
    const email = recipient();
    const upper = email.toUpperCase().replace('EXAMPLE.COM', 'example.com');
    await refer([email], '1');
    await refer([upper], '2');
    await sendDue();
    now += YEAR_MS - 1;
    await refer([email], '3');
    await sendDue();
    expect(smtp.mails.map(({ to }) => to[0]?.toLowerCase())).toEqual([email]);
    now += 1;
    await refer([email], '4');
    await sendDue();
    expect(smtp.mails).toHaveLength(2);
    const rows = await shared.database
      .schema<FormsTables>('forms')
      .selectFrom('emails')
      .select(['status', 'attempts'])
      .where('recipient', 'in', [email, upper])
      .execute();
    expect(rows.map(({ status, attempts }) => `${status} ${attempts}`).sort()).toEqual([
      'sent 1',
      'sent 1',
      'skipped 0',
      'skipped 0',
    ]);
  });

  test('to one address are sent once by concurrent instances', async () => {
    const email = recipient();
    for (let i = 0; i < 4; i++) await refer([email], 'Look', recipient());
    await Promise.all([sendDue(), sendDue(), sendDue(), sendDue()]);
    expect(smtp.mails).toHaveLength(1);
  });

  test('that were undeliverable do not block a later one', async () => {
    const email = recipient();
    await refer([email]);
    smtp.refuse = () => 550;
    await sendDue();
    smtp.refuse = () => null;
    await refer([email]);
    await sendDue();
    expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
  });

  test('can be unsubscribed from, and are not repeated, after their referral was erased', async () => {
    const email = recipient();
    await refer([email]);
    await sendDue();
    const path = unsubscribePath(smtp.mails[0]!.text);
    const db = shared.database.schema<FormsTables>('forms');
    await db.deleteFrom('emails').execute();
    await db.deleteFrom('subscriptions').execute();

    expect((await app.inject(path)).statusCode).toBe(200);
    await refer([email]);
    await sendDue();
    expect(smtp.mails).toHaveLength(1);
    expect((await app.inject({ method: 'POST', url: path })).statusCode).toBe(200);
    const gone = await db.selectFrom('unsubscribed').selectAll().where('email', '=', email).execute();
    expect(gone).toHaveLength(1);
  });

  test.each([
    [
      'multipart/form-data; boundary=x',
      '--x\r\nContent-Disposition: form-data; name="List-Unsubscribe"\r\n\r\nOne-Click\r\n--x--',
    ],
    ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
    ['text/plain', 'List-Unsubscribe=One-Click'],
    ['application/json', 'no JSON'],
  ])('are unsubscribed from by a post with the type %s', async (type, payload) => {
    const email = recipient();
    await refer([email]);
    const path = `/${await parts.links.createPath('unsubscribe', (await findRow(email)).id)}`;
    const post = (body: string) =>
      app.inject({ method: 'POST', url: path, headers: { 'content-type': type }, payload: body });
    expect((await post('x'.repeat(20_000))).statusCode).toBe(413);
    expect((await post(payload)).statusCode).toBe(200);
    await sendDue();
    expect(await findRow(email)).toMatchObject({ status: 'unsubscribed' });
  });

  test('are unsubscribed only by a signed link', async () => {
    const email = recipient();
    await refer([email]);
    const { id } = await findRow(email);
    const path = `/${await parts.links.createPath('unsubscribe', id)}`;
    for (const bad of [
      `/unsubscribe/${id}`,
      path.slice(0, -1),
      path.replace(id, randomUUID()),
      '/unsubscribe/x',
    ]) {
      for (const method of ['GET', 'POST'] as const) {
        const answer = await app.inject({ method, url: bad });
        expect([answer.statusCode, answer.headers['content-type']]).toEqual([
          404,
          'text/html; charset=utf-8',
        ]);
      }
    }
    await sendDue();
    expect(smtp.mails).toHaveLength(1);
  });

  test('are sent in the background once there is a server, until stopped', async () => {
    const email = recipient();
    await refer([email]);
    const sent = new Promise<void>((resolve) => log.info.mockImplementation(() => resolve()));
    const stop = startOutbox({ ...parts, mail: mail(), findBrand, publicUrl, site, log });
    await sent;
    await stop();
    expect(smtp.mails.map(({ to }) => to)).toEqual([[email]]);
    expect(await findRow(email)).toMatchObject({ status: 'sent' });
  });
});
