import { randomUUID } from 'node:crypto';
import { formSources, NEWSLETTER_CONSENT } from '@site/contract';
import { readData } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { isAnyoneWaiting } from '@site/server/testing/is-anyone-waiting';
import { watchedLog } from '@site/server/testing/interval-clock';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { createParts } from '../parts.ts';
import { formsDefaults } from '../config.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import { toMailbox } from '../kernel/mailbox.ts';
import { formsMigrations } from '../migrations.ts';
import { startRetention } from '../retention.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { newsletterEntry } from '../testing/newsletter-entry.ts';
import { readMail, startSmtp, type TestSmtp } from '../testing/start-smtp.ts';
import { workOnOutbox } from '../testing/work-on-outbox.ts';
import { waitFor } from '@site/server/testing/wait-for';

const site = 'https://site.example';
const publicUrl = 'https://api.example/forms/';
const adminToken = `site_${'a'.repeat(43)}`;
const mail = { smtpUrl: 'smtp://127.0.0.1:1', from: 'Blocks <hello@blocks.example>' };
const config = {
  ...formsDefaults,
  jwksUrl: 'http://127.0.0.1:1/',
  origins: [site],
  rateLimit: { perAddress: 0, perGuest: 0 },
  postLimits: { formPostsPerHour: 0, referralsPerDay: 0 },
  adminToken,
  publicUrl,
  mail,
};
const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

describe('the newsletter', () => {
  let shared: TestDatabase;
  /** Two instances on one database: a link can be used once across both. */
  let apps: [FastifyInstance, FastifyInstance];
  let smtp: TestSmtp;
  let now = Date.parse('2026-03-01T12:00:00Z');

  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
    const instance = () => createApp(createParts(config, { database: shared.database, now: () => now }));
    apps = [await instance(), await instance()];
  });
  afterAll(async () => {
    await Promise.all(apps.map((app) => app.close()));
    await shared.stop();
  });
  beforeEach(async () => {
    smtp = await startSmtp();
    // The daily limits have expired.
    now += 2 * DAY_MS;
  });
  afterEach(() => smtp.close());

  const db = () => shared.database.schema<FormsTables>('forms');
  const sendDue = () =>
    workOnOutbox(shared.database, config, {
      mail: { ...mail, smtpUrl: smtp.url },
      site,
      now: () => now,
      log,
    });
  const someone = () => `${randomUUID()}@example.com`;
  const enter = (email: string, more: object = {}, key?: string, app = apps[0]) =>
    app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: key === undefined ? {} : { 'idempotency-key': key },
      payload: { ...newsletterEntry(email), ...more },
    });
  const enterPlain = (email: string) =>
    apps[0].inject({
      method: 'POST',
      url: '/subscriptions',
      headers: { origin: site, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ source_id: formSources.newsletter, email }).toString(),
    });
  const mailsTo = (email: string) =>
    smtp.mails.filter(({ to }) => to.includes(email)).map(({ text }) => readMail(text));
  const pathIn = (text: string, link: string) =>
    new RegExp(`https://api\\.example/forms(/${link}/\\S+)`).exec(text)?.[1] ?? 'no link';
  const confirmPath = (email: string) => pathIn(mailsTo(email).at(-1)!.text, 'newsletter/confirm');
  const leavePath = (email: string) => pathIn(mailsTo(email).at(-1)!.text, 'newsletter/unsubscribe');
  const press = (url: string, app = apps[1]) =>
    app.inject({ method: 'POST', url, headers: { 'content-type': 'application/x-www-form-urlencoded' } });
  const readTitle = ({ statusCode, body }: { statusCode: number; body: string }) => [
    statusCode,
    /<title>([^<·]*?)(?: · |<)/.exec(body)?.[1],
  ];
  async function subscribed(email: string): Promise<void> {
    expect((await enter(email)).statusCode).toBe(201);
    await sendDue();
    expect(readTitle(await press(confirmPath(email)))).toEqual([200, 'You are subscribed']);
  }
  interface Exported {
    data: { id: string; attributes: Record<string, string> }[];
    meta: { after: string | null };
  }
  async function exported(query = ''): Promise<Exported> {
    const answer = await apps[0].inject({
      url: `/admin/newsletter${query}`,
      headers: { authorization: `Bearer ${adminToken}` },
    });
    expect(answer.statusCode).toBe(200);
    return answer.json();
  }
  const findSubscriber = async (email: string) =>
    (await exported('?page[size]=1000')).data.find(({ attributes }) => attributes['email'] === email);

  test('is sent to an address whose owner confirmed it with the button, recording time and consent text', async () => {
    const email = someone();
    const at = now;
    const answer = await enter(email);
    expect([answer.statusCode, readData(answer).attributes['confirmation']]).toEqual([201, 'by_mail']);
    await sendDue();
    expect(await findSubscriber(email)).toBeUndefined();
    const [{ headers, text, html } = { headers: '', text: '', html: '' }] = mailsTo(email);
    expect(headers).toMatch(/^Subject: Confirm your subscription to the Blocks newsletter$/m);
    expect(text).toContain('This link works for 48 hours');
    for (const link of ['newsletter/confirm', 'newsletter/unsubscribe', 'unsubscribe'])
      expect(html).toContain(`href="https://api.example/forms${pathIn(text, link)}"`);

    now += HOUR_MS;
    // Email scanners open every link, some twice.
    for (const method of ['GET', 'HEAD', 'GET'] as const)
      expect((await apps[0].inject({ method, url: confirmPath(email) })).statusCode).toBe(200);
    expect(await findSubscriber(email)).toBeUndefined();
    const page = await apps[0].inject(confirmPath(email));
    expect(page.body).toContain(`<blockquote>${NEWSLETTER_CONSENT}</blockquote>`);
    expect(page.body).toContain('<form method="post"><button>Confirm</button></form>');

    expect(readTitle(await press(confirmPath(email)))).toEqual([200, 'You are subscribed']);
    const reader = await findSubscriber(email);
    expect(reader?.attributes).toEqual({
      email,
      asked_at: new Date(at).toISOString(),
      confirmed_at: new Date(now).toISOString(),
      wording: NEWSLETTER_CONSENT,
      unsubscribe_url: `https://api.example/forms${leavePath(email)}`,
    });
  });

  test('is confirmed once, by a signed link, within 48 hours of the email', async () => {
    const email = someone();
    await enter(email);
    // However long it waited for a mail server.
    now += 3 * DAY_MS;
    await sendDue();
    const path = confirmPath(email);
    const both = async (url: string) => [readTitle(await apps[0].inject(url)), readTitle(await press(url))];
    const unknown = Array(2).fill([404, 'Nothing to confirm with this link']);
    expect(await both(path.slice(0, -1))).toEqual(unknown);
    expect(await both(path.replace(/\?.*/, ''))).toEqual(unknown);
    expect(await both(leavePath(email).replace('unsubscribe', 'confirm'))).toEqual(unknown);
    expect(await both(path.replace('/newsletter', ''))).toEqual(unknown);
    now += 2 * DAY_MS;
    expect(await both(path)).toEqual(Array(2).fill([410, 'The confirmation link has expired']));
    now -= 1;
    const pressed = await Promise.all([press(path, apps[0]), press(path, apps[1]), press(path, apps[0])]);
    expect(pressed.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410]);
    expect(await both(path)).toEqual(Array(2).fill([410, 'Already confirmed']));
  });

  test('sends a confirmation email each time an address is entered, at most three a day, with the same response', async () => {
    const email = someone();
    const answers = [];
    for (const spelling of [email, email.replace('@', '+a@'), email.toUpperCase(), email, email]) {
      answers.push(await enter(spelling));
      await sendDue();
    }
    answers.push(await enterPlain(email));
    await sendDue();
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201, 303]);
    expect(smtp.mails).toHaveLength(3);
    now += DAY_MS;
    await enterPlain(email);
    await sendDue();
    expect(smtp.mails).toHaveLength(4);
    // Without JavaScript the submissions are identical, and each sends a confirmation email.
    await enterPlain(email);
    await sendDue();
    expect(smtp.mails).toHaveLength(5);
    const [first, last] = [smtp.mails[0]!, smtp.mails[4]!].map(({ text }) => readMail(text).text);
    expect(first).not.toBe(last);
  });

  test('sends one confirmation email when a request is retried after a lost response', async () => {
    const [email, key] = [someone(), randomUUID()];
    for (let count = 0; count < 3; count++) {
      expect((await enter(email, {}, key)).statusCode).toBe(201);
      await sendDue();
    }
    expect(mailsTo(email)).toHaveLength(1);
    await Promise.all([1, 2, 3].map(() => enter(email, {}, randomUUID())));
    await Promise.all([sendDue(), sendDue()]);
    expect(mailsTo(email)).toHaveLength(3);
  });

  test('has the same response for an address that is new, pending, confirmed, removed or unsubscribed', async () => {
    const [fresh, asked, confirmed, left, none] = [someone(), someone(), someone(), someone(), someone()];
    await enter(asked);
    for (const email of [confirmed, left, none]) await subscribed(email);
    await press(leavePath(left));
    const noMail = pathIn(mailsTo(none)[0]!.text, 'unsubscribe');
    expect(readTitle(await press(noMail))).toEqual([200, 'You are unsubscribed']);
    smtp.mails.length = 0;
    now += DAY_MS;
    const shapes = [];
    for (const email of [fresh, asked, confirmed, left, none]) {
      const answer = await enter(email);
      const { id, attributes } = readData(answer);
      shapes.push([answer.statusCode, id.length, { ...attributes, email: '' }]);
      const plain = await enterPlain(email);
      shapes.push([plain.statusCode, plain.headers.location]);
    }
    expect(
      new Set(shapes.filter((_, index) => index % 2 === 0).map((shape) => JSON.stringify(shape))).size,
    ).toBe(1);
    expect(
      new Set(shapes.filter((_, index) => index % 2 === 1).map((shape) => JSON.stringify(shape))).size,
    ).toBe(1);
    await sendDue();
    expect([await findSubscriber(left), await findSubscriber(none)]).toEqual([undefined, undefined]);
    // Subscribers get no confirmation email.
    expect([...new Set(smtp.mails.flatMap(({ to }) => to))].sort()).toEqual(
      [fresh, asked, left, none].sort(),
    );
  });

  test('sends an opted-out address one link in 30 days, and its owner subscribes again by confirming it', async () => {
    const email = someone();
    const optedOut = () => db().selectFrom('unsubscribed').selectAll().where('email', '=', email).execute();
    await subscribed(email);
    const page = await apps[0].inject(pathIn(mailsTo(email)[0]!.text, 'unsubscribe'));
    expect(page.body).toContain('ask you to confirm, at most once every 30 days');
    await press(pathIn(mailsTo(email)[0]!.text, 'unsubscribe'));
    smtp.mails.length = 0;
    for (const wait of [DAY_MS, DAY_MS, 27 * DAY_MS]) {
      now += wait;
      await enter(email);
      await sendDue();
    }
    expect(smtp.mails).toHaveLength(1);
    expect([await findSubscriber(email), (await optedOut()).length]).toEqual([undefined, 1]);
    now += 3 * DAY_MS;
    await enterPlain(email);
    await sendDue();
    expect(smtp.mails).toHaveLength(2);
    expect(readTitle(await press(confirmPath(email)))).toEqual([200, 'You are subscribed']);
    expect((await findSubscriber(email))?.attributes['email']).toBe(email);
    expect(await optedOut()).toEqual([]);
  });

  test('counts all spellings of an international domain as one mailbox, stored in ASCII', async () => {
    const name = randomUUID();
    for (const domain of ['bücher.example', 'BU\u0308CHER.example', 'xn--bcher-kva.example']) {
      expect((await enter(`${name}@${domain}`)).statusCode).toBe(201);
      expect((await enterPlain(`${name}@${domain}`)).statusCode).toBe(303);
    }
    const rows = await db()
      .selectFrom('subscriptions')
      .select('email')
      .distinct()
      .where('email', 'like', `${name}%`)
      .execute();
    expect(rows).toEqual([{ email: `${name}@xn--bcher-kva.example` }]);
    expect((await enter(`ädä${name}@example.com`)).statusCode).toBe(422);
  });

  test('is confirmed while the same address is entered again: no deadlock', async () => {
    const email = someone();
    await enter(email);
    await sendDue();
    const confirmation = confirmPath(email);
    const ofEmail = db().selectFrom('subscriptions').select('id').where('email', '=', email);
    const confirmed = await db()
      .transaction()
      .execute(async (other) => {
        // The two steps of entering it.
        await other.selectFrom('subscriptions').select('id').where('email', '=', email).forUpdate().execute();
        const pressed = press(confirmation);
        await waitFor(() => isAnyoneWaiting(db()));
        await other
          .updateTable('emails')
          .set({ created_at: new Date(now) })
          .where('subscription_id', 'in', ofEmail)
          .execute();
        return { pressed };
      });
    expect(readTitle(await confirmed.pressed)).toEqual([200, 'You are subscribed']);
  });

  test('stays confirmed when the address is entered again before the confirmation is committed', async () => {
    const email = someone();
    await enterPlain(email);
    const row = () =>
      db()
        .selectFrom('subscriptions')
        .select(['id', 'confirmed_at', 'remove_at'])
        .where('email', '=', email)
        .executeTakeFirstOrThrow();
    const { id } = await row();
    const confirmed = { confirmed_at: new Date(now), remove_at: null };
    const { entered } = await db()
      .transaction()
      .execute(async (confirming) => {
        await confirming.selectFrom('subscriptions').select('id').where('id', '=', id).forUpdate().execute();
        let isAnswered = false as boolean;
        const again = enterPlain(email).finally(() => (isAnswered = true));
        while (!isAnswered && !(await isAnyoneWaiting(db())));
        await confirming.updateTable('subscriptions').set(confirmed).where('id', '=', id).execute();
        await confirming
          .insertInto('subscribers')
          .values({
            id: randomUUID(),
            subscription_id: id,
            mailbox: toMailbox(email),
            email,
            confirmed_at: new Date(now),
            wording: NEWSLETTER_CONSENT,
          })
          .execute();
        return { entered: again };
      });
    expect((await entered).statusCode).toBe(303);
    expect(await row()).toEqual({ id, ...confirmed });
    expect(await findSubscriber(email)).toBeDefined();
  });

  test("ends by a mail program's one-click unsubscribe, with the headers of its emails", async () => {
    const email = someone();
    await subscribed(email);
    const [{ headers } = { headers: '' }] = mailsTo(email);
    expect(headers).toMatch(/^List-Unsubscribe-Post: List-Unsubscribe=One-Click$/m);
    const url = /^List-Unsubscribe: <(https:[^>]+)>$/m.exec(headers)?.[1];
    expect(url).toBe(`https://api.example/forms${leavePath(email)}`);
    expect((await findSubscriber(email))?.attributes['unsubscribe_url']).toBe(url);

    for (const method of ['GET', 'HEAD'] as const)
      expect((await apps[0].inject({ method, url: leavePath(email) })).statusCode).toBe(200);
    expect(await findSubscriber(email)).toBeDefined();
    for (const [type, payload] of [
      ['application/x-www-form-urlencoded', 'List-Unsubscribe=One-Click'],
      ['multipart/form-data; boundary=x', '--x--'],
    ] as const) {
      const headers = { 'content-type': type };
      const done = await apps[0].inject({ method: 'POST', url: leavePath(email), headers, payload });
      expect(readTitle(done)).toEqual([200, 'You are unsubscribed']);
    }
    expect(await findSubscriber(email)).toBeUndefined();
    const left = await db().selectFrom('subscriptions').select('id').where('email', '=', email).execute();
    expect(left).toEqual([]);
    // Old links do not subscribe again.
    expect(readTitle(await press(confirmPath(email)))).toEqual([404, 'Nothing to confirm with this link']);
    const cut = leavePath(email).slice(0, -1);
    expect(readTitle(await press(cut))).toEqual([404, 'Unknown email link']);
  });

  test('is declined by one-click unsubscribe in the confirmation email: all links stop working and nothing is sent', async () => {
    const email = someone();
    const again = email.replace('@', '+again@');
    await enter(email);
    await sendDue();
    const [link, leave] = [confirmPath(email), leavePath(email)];
    expect(mailsTo(email)[0]?.headers).toContain(`List-Unsubscribe: <https://api.example/forms${leave}>`);
    // Entered again in another spelling, and not sent yet.
    await enter(again);
    const oneClick = () =>
      apps[1].inject({
        method: 'POST',
        url: leave,
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        payload: 'List-Unsubscribe=One-Click',
      });
    expect(readTitle(await apps[0].inject(leave))).toEqual([200, 'Unsubscribe from our newsletter?']);
    expect(readTitle(await apps[0].inject(link))).toEqual([200, 'Subscribe to our newsletter?']);
    for (let times = 0; times < 2; times += 1)
      expect(readTitle(await oneClick())).toEqual([200, 'You are unsubscribed']);

    expect(readTitle(await apps[0].inject(link))).toEqual([404, 'Nothing to confirm with this link']);
    expect(readTitle(await press(link))).toEqual([404, 'Nothing to confirm with this link']);
    await sendDue();
    now += 31 * DAY_MS;
    await sendDue();
    expect([mailsTo(email).length, mailsTo(again).length]).toEqual([1, 0]);
    for (const table of ['subscriptions', 'subscribers'] as const)
      expect(
        await db().selectFrom(table).select('id').where('email', 'in', [email, again]).execute(),
      ).toEqual([]);

    // Not permanent: when the address is entered again, its owner gets a confirmation email, and the same
    // link ends it.
    await subscribed(email);
    expect(readTitle(await oneClick())).toEqual([200, 'You are unsubscribed']);
    expect(await findSubscriber(email)).toBeUndefined();
  });

  test('can be subscribed to again, and the link in an old newsletter ends it again', async () => {
    const email = someone();
    await subscribed(email);
    const old = leavePath(email);
    expect(readTitle(await press(old))).toEqual([200, 'You are unsubscribed']);
    now += 400 * DAY_MS;
    await subscribed(email.replace('@', '+letters@'));
    const again = email.replace('@', '+letters@');
    expect((await findSubscriber(again))?.attributes['confirmed_at']).toBe(new Date(now).toISOString());
    now += 4_000 * DAY_MS;
    expect((await apps[0].inject(old)).statusCode).toBe(200);
    expect(readTitle(await press(old))).toEqual([200, 'You are unsubscribed']);
    expect(await findSubscriber(again)).toBeUndefined();
  });

  test('of one address entered by two visitors is decided once by its owner', async () => {
    const email = someone();
    await enter(email);
    await enter(email.replace('@', '+b@'));
    await sendDue();
    const links = smtp.mails.map(({ text }) => pathIn(readMail(text).text, 'newsletter/confirm'));
    for (const link of links) expect((await press(link)).statusCode).toBe(200);
    const readers = await db()
      .selectFrom('subscribers')
      .select('email')
      .where('mailbox', '=', email)
      .execute();
    expect(readers).toHaveLength(1);
    // Unsubscribing removes both submissions.
    expect((await press(leavePath(smtp.mails[0]!.to[0]!))).statusCode).toBe(200);
    const rows = await db()
      .selectFrom('subscriptions')
      .select('id')
      .where('email', 'like', `${email.split('@')[0]}%`)
      .execute();
    expect(rows).toEqual([]);
  });

  test('without a mail server keeps an address unconfirmed, reports that, and sends the email as soon as there is one', async () => {
    const without = await createApp(
      createParts({ ...config, mail: null }, { database: shared.database, now: () => now }),
    );
    const email = someone();
    const answer = await enter(email, {}, undefined, without);
    expect(readData(answer).attributes['confirmation']).toBe('held');
    const page = await without.inject('/received?form=newsletter');
    expect(page.body).toContain('We can’t send email right now');
    await without.close();
    expect(await findSubscriber(email)).toBeUndefined();
    now += 29 * DAY_MS;
    await sendDue();
    expect((await press(confirmPath(email))).statusCode).toBe(200);
    expect(await findSubscriber(email)).toBeDefined();
  });

  async function left(...emails: string[]): Promise<string[]> {
    await startRetention({ db: db(), retention: 10 ** 9, log: watchedLog(), now: () => now })();
    const rows = await db()
      .selectFrom('subscriptions')
      .select('email')
      .where('email', 'in', emails)
      .execute();
    return rows.map(({ email }) => email).sort();
  }

  test('keeps no spam and no unconfirmed addresses, and confirmed ones until they unsubscribe', async () => {
    const [spam, unconfirmed, confirmed] = [someone(), someone(), someone()];
    await enter(spam, { reference_note: 'buy' });
    await enter(unconfirmed);
    await subscribed(confirmed);
    expect(mailsTo(spam)).toEqual([]);
    const all = [spam, unconfirmed, confirmed];
    now += 30 * DAY_MS - 1;
    expect(await left(...all)).toEqual(all.toSorted());
    now += DAY_MS + 1;
    expect(await left(...all)).toEqual([unconfirmed, confirmed].sort());
    now += DAY_MS + 1;
    expect(await left(...all)).toEqual([confirmed]);
    now += 4_000 * DAY_MS;
    expect(await left(...all)).toEqual([confirmed]);
    expect(await findSubscriber(confirmed)).toBeDefined();
  });

  test('keeps an address as long as a link is valid, however long the email waited', async () => {
    const [held, late] = [someone(), someone()];
    await enter(held);
    await enter(late);
    smtp.refuse = (address) => (address === late ? 450 : null);
    now += 30 * DAY_MS;
    await sendDue();
    expect(mailsTo(held)).toHaveLength(1);
    now += 2 * DAY_MS - 1;
    expect(await left(held)).toEqual([held]);
    expect(readTitle(await press(confirmPath(held)))).toEqual([200, 'You are subscribed']);
    // An undelivered email is not retried so late that its link would be useless.
    smtp.refuse = () => null;
    await sendDue();
    expect(mailsTo(late)).toEqual([]);
  });

  test('keeps an address from its last entry, also while the confirmation email waits', async () => {
    const email = someone();
    await enterPlain(email);
    now += 29 * DAY_MS;
    await enterPlain(email);
    now += 2 * DAY_MS;
    await sendDue();
    expect(mailsTo(email)).toHaveLength(1);
    now += 30 * DAY_MS - 1;
    expect(await left(email)).toEqual([email]);
    now += DAY_MS;
    expect(await left(email)).toEqual([]);
  });

  test('an address entered twice whose subscriber was erased with one entry gets a confirmation email, or is removed', async () => {
    const [again, gone] = [someone(), someone()];
    for (const email of [again, gone]) {
      await enterPlain(email);
      await enterPlain(email.replace('@', '+b@'));
      await sendDue();
      for (const to of [email, email.replace('@', '+b@')])
        expect(readTitle(await press(confirmPath(to)))).toEqual([200, 'You are subscribed']);
      // Both entries are confirmed; the subscriber belongs to the second, which a guest has sent.
      const guest = randomUUID();
      await db()
        .updateTable('subscriptions')
        .set({ visitor_unique_id: guest })
        .where('email', '=', email.replace('@', '+b@'))
        .execute();
      const erased = await apps[0].inject({
        method: 'DELETE',
        url: `/admin/visitors/${guest}`,
        headers: { authorization: `Bearer ${adminToken}` },
      });
      expect(erased.statusCode).toBe(200);
      expect(await findSubscriber(email.replace('@', '+b@'))).toBeUndefined();
    }
    now += DAY_MS;
    await enterPlain(again);
    await sendDue();
    expect(mailsTo(again)).toHaveLength(2);
    expect(await left(again, gone)).toEqual([again]);
    expect(readTitle(await press(confirmPath(again)))).toEqual([200, 'You are subscribed']);
    now += 40 * DAY_MS;
    expect(await left(again, gone)).toEqual([again]);
    expect(await findSubscriber(again)).toBeDefined();
  });

  test('sends no confirmation email for spam, and does after the mark is removed', async () => {
    const email = someone();
    await enter(email);
    const mark = (suspected_spam: boolean) =>
      db().updateTable('subscriptions').set({ suspected_spam }).where('email', '=', email).execute();
    await mark(true);
    await sendDue();
    expect(mailsTo(email)).toEqual([]);
    await mark(false);
    await sendDue();
    expect(mailsTo(email)).toHaveLength(1);
  });

  test('lists its subscribers page by page, without duplicates and spam, only to operators', async () => {
    const emails = [someone(), someone(), someone()];
    for (const email of emails) {
      now += 1;
      await subscribed(email);
    }
    const spam = someone();
    await subscribed(spam);
    await db().updateTable('subscriptions').set({ suspected_spam: true }).where('email', '=', spam).execute();
    const found: string[] = [];
    for (let after: string | null = ''; after !== null;) {
      const { data, meta }: Exported = await exported(`?page[size]=2${after && `&page[after]=${after}`}`);
      found.push(...data.map(({ attributes }) => attributes['email']!));
      after = meta.after;
    }
    expect(found.filter((email) => emails.includes(email))).toEqual(emails);
    expect(new Set(found).size).toBe(found.length);
    expect(found).not.toContain(spam);
    expect((await apps[0].inject('/admin/newsletter')).statusCode).toBe(401);
    const bad = await apps[0].inject({
      url: '/admin/newsletter?page[after]=x',
      headers: { authorization: `Bearer ${adminToken}` },
    });
    expect([bad.statusCode, bad.json<{ errors: [{ source: object }] }>().errors[0].source]).toEqual([
      400,
      { parameter: 'page[after]' },
    ]);
  });

  test('logs neither addresses nor links', async () => {
    const [taken, refused] = [someone(), someone()];
    for (const write of [log.info, log.warn, log.error]) write.mockClear();
    smtp.refuse = (address) => (address === refused ? 550 : null);
    await enter(taken);
    await enter(refused);
    await sendDue();
    const lines = JSON.stringify([log.info.mock.calls, log.warn.mock.calls, log.error.mock.calls]);
    expect([log.info.mock.calls.length, log.warn.mock.calls.length]).toEqual([1, 1]);
    expect(lines).not.toMatch(/@|signature/);
  });
});
