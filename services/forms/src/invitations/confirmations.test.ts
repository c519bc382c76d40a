import { randomUUID } from 'node:crypto';
import { formSources } from '@site/contract';
import { dataOf, errorsOf } from '@site/server/testing/answers';
import { isAnyoneWaiting } from '@site/server/testing/is-anyone-waiting';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { createParts } from '../parts.ts';
import { formsDefaults } from '../config.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import { formsMigrations } from '../migrations.ts';
import type { FormsTables } from '../tables.ts';
import { newsletterEntry } from '../testing/newsletter-entry.ts';
import { confirmationFor } from './confirmations.repository.ts';
import { easyCaptcha, solveCaptcha } from '../testing/solve-captcha.ts';
import { startSmtp, unfolded, type TestSmtp } from '../testing/start-smtp.ts';
import { workOnOutbox } from '../testing/work-on-outbox.ts';

const site = 'https://site.example';
const publicUrl = 'https://api.example/forms/';
const config = {
  ...formsDefaults,
  jwksUrl: 'http://127.0.0.1:1/',
  origins: [site],
  rateLimit: { perAddress: 0, perGuest: 0 },
  captcha: easyCaptcha,
  publicUrl,
};
const log = { info: jest.fn(), warn: jest.fn(), error: jest.fn() };

describe('a referral', () => {
  let shared: TestDatabase;
  /** Two instances on one database: what is counted must hold over both. */
  let apps: [FastifyInstance, FastifyInstance];
  let smtp: TestSmtp;
  let now = Date.parse('2026-03-01T12:00:00Z');
  let network = 0;

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
    network += 1;
    // Nothing of an earlier test waits to be sent.
    await db().deleteFrom('invitations').where('status', '=', 'waiting').execute();
    // The day's counts are over.
    now += 2 * DAY_MS;
  });
  afterEach(() => smtp.close());

  const db = () => shared.database.schema<FormsTables>('forms');
  const sendDue = (mailLimits = config.mailLimits) =>
    workOnOutbox(
      shared.database,
      { ...config, mailLimits },
      {
        mail: { smtpUrl: smtp.url, from: 'Blocks <hello@blocks.example>' },
        site,
        now: () => now,
        log,
      },
    );
  interface Referral {
    from: string;
    to: string[];
    message?: string;
    address?: string;
    key?: string;
    instance?: 0 | 1;
  }
  async function refer({ from, to, message = '', address, key, instance = 0 }: Referral) {
    return apps[instance].inject({
      method: 'POST',
      url: '/subscriptions',
      remoteAddress: address ?? `10.0.0.${network}`,
      headers: key === undefined ? {} : { 'idempotency-key': key },
      payload: {
        email: from,
        source_id: formSources.referral,
        form_fields: JSON.stringify({
          to_emails: to,
          message,
          captcha: await solveCaptcha(apps[instance]),
        }),
        visitor_unique_id: '',
        visitor_type: 'guest',
      },
    });
  }
  async function referred(referral: Referral): Promise<void> {
    expect((await refer(referral)).statusCode).toBe(201);
  }
  const someone = (domain = `${randomUUID()}.example`) => `${randomUUID()}@${domain}`;
  const people = (count: number, domain?: string) => Array.from({ length: count }, () => someone(domain));
  const mailsTo = (email: string) => smtp.mails.filter(({ to }) => to.includes(email));
  const recipients = () => smtp.mails.flatMap(({ to }) => to);
  const linkIn = (text: string) =>
    /https:\/\/api\.example\/forms(\/confirm\/\S+)/.exec(unfolded(text))?.[1] ?? 'no link';
  const lastLinkTo = (email: string) => linkIn(mailsTo(email).at(-1)!.text);
  const press = (path: string) =>
    apps[1].inject({
      method: 'POST',
      url: path,
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
    });
  async function confirmed(from: string): Promise<void> {
    expect((await press(lastLinkTo(from))).statusCode).toBe(200);
  }

  test('of three anonymous posts to sixty spellings of one mailbox reaches nobody but the address it claims to come from, in our words', async () => {
    const victim = `victim@${randomUUID()}.example`;
    const attacker = someone();
    for (let post = 0; post < 3; post++) {
      const to = Array.from({ length: 20 }, (_, index) =>
        victim.replace('@', `+${post}-${index}@`).replace('victim', index % 2 ? 'VICTIM' : 'victim'),
      );
      await referred({ from: attacker, to, message: 'You have won. Call 555 0100 now' });
    }
    await sendDue();
    expect(recipients()).toEqual([attacker, attacker, attacker]);
    for (const { text } of smtp.mails) {
      expect(text).not.toMatch(/^Reply-To:/im);
      expect(unfolded(text)).not.toMatch(/You have won|555 0100|victim/i);
    }
    // Programs that look through mail open every link.
    for (const { text } of smtp.mails) {
      for (const method of ['GET', 'HEAD'] as const)
        expect((await apps[0].inject({ method, url: linkIn(text) })).statusCode).toBe(200);
    }
    await sendDue();
    expect(smtp.mails).toHaveLength(3);

    // And who confirms all three reaches the one mailbox once.
    for (const { text } of [...smtp.mails]) expect((await press(linkIn(text))).statusCode).toBe(200);
    for (let day = 0; day < 5; day++, now += DAY_MS + 1) await sendDue();
    expect(recipients().filter((to) => /^victim/i.test(to))).toHaveLength(1);
  });

  test('goes out once its sender has seen it and pressed the button, and answers go to the sender', async () => {
    const [from, to] = [someone(), people(2)];
    await referred({ from, to, message: 'Look <b>here</b>' });
    await sendDue();
    expect(recipients()).toEqual([from]);
    const link = lastLinkTo(from);
    const page = await apps[0].inject(link);
    expect(page.statusCode).toBe(200);
    for (const recipient of to) expect(page.body).toContain(recipient);
    expect(page.body).toContain('<blockquote>Look &lt;b&gt;here&lt;/b&gt;</blockquote>');
    expect(page.body).toContain('<form method="post"><button>Send the invitations</button></form>');

    await confirmed(from);
    await sendDue();
    expect(recipients().sort()).toEqual([from, ...to].sort());
    expect(unfolded(mailsTo(to[0]!)[0]!.text)).toContain(`Reply-To: ${from}`);
    const row = await db()
      .selectFrom('subscriptions')
      .select('confirmed_at')
      .where('email', '=', from)
      .executeTakeFirstOrThrow();
    expect(row.confirmed_at).toEqual(new Date(now));
  });

  test('is confirmed once, by a link that we signed, within 24 hours from when it was sent', async () => {
    const from = someone();
    await referred({ from, to: people(1) });
    // However long it waited for a mail server.
    now += 3 * DAY_MS;
    await sendDue();
    const link = lastLinkTo(from);
    const codes = async (path: string) => {
      const answers = [await apps[0].inject(path), await press(path)];
      return answers.map((answer) => [answer.statusCode, /<title>([^<·]*?)(?: · |<)/.exec(answer.body)?.[1]]);
    };
    const unknown = Array(2).fill([404, 'Nothing waits for this link']);
    expect(await codes(link.slice(0, -1))).toEqual(unknown);
    expect(await codes(link.replace(/\?.*/, ''))).toEqual(unknown);
    expect(await codes(link.replace('/confirm/', '/unsubscribe/'))).toEqual(
      Array(2).fill([404, 'No mail belongs to this link']),
    );
    now += DAY_MS;
    expect(await codes(link)).toEqual(Array(2).fill([410, 'The confirmation link has expired']));
    now -= 1;
    const pressed = await Promise.all([press(link), press(link), press(link)]);
    expect(pressed.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410]);
    expect(await codes(link)).toEqual(Array(2).fill([410, 'This is already confirmed']));
    // Nobody filled in anything on the way here.
    expect((await press(link)).body).not.toContain('filled in');
  });

  test('sent again asks again once its link has run out, and not before', async () => {
    const [from, key] = [someone(), randomUUID()];
    const referral = { from, to: people(1), key };
    await referred(referral);
    const again = async () => {
      expect((await refer(referral)).statusCode).toBe(200);
      await sendDue();
      return mailsTo(from).length;
    };
    expect(await again()).toBe(1);
    now += DAY_MS - 1;
    expect(await again()).toBe(1);
    now += 1;
    expect(await again()).toBe(2);
    await confirmed(from);
    now += 2 * DAY_MS;
    expect(await again()).toBe(2);
  });

  test('asks once when a repetition comes before the question of another one is committed', async () => {
    const referral = { from: someone(), to: people(1), key: randomUUID() };
    await referred(referral);
    await sendDue();
    // The link has expired by now.
    now += 3 * DAY_MS;
    const { id } = await db()
      .selectFrom('subscriptions')
      .select('id')
      .where('email', '=', referral.from)
      .executeTakeFirstOrThrow();
    const { second } = await db()
      .transaction()
      .execute(async (first) => {
        await first.selectFrom('subscriptions').select('id').where('id', '=', id).forUpdate().execute();
        const asked = confirmationFor('confirmation', { id, email: referral.from }, new Date(now));
        await first.insertInto('invitations').values(asked).execute();
        let isAnswered = false as boolean;
        const repeated = refer(referral).finally(() => (isAnswered = true));
        while (!isAnswered && !(await isAnyoneWaiting(db())));
        return { second: repeated };
      });
    expect((await second).statusCode).toBe(200);
    const waiting = db().selectFrom('invitations').select('id').where('subscription_id', '=', id);
    expect(await waiting.where('status', '=', 'waiting').execute()).toHaveLength(1);
  });

  test('that is confirmed in time goes out, though it was sent more than thirty days ago', async () => {
    const [from, friend, key] = [someone(), someone(), randomUUID()];
    const referral = { from, to: [friend], key };
    await referred(referral);
    await sendDue();
    now += 29.5 * DAY_MS;
    expect((await refer(referral)).statusCode).toBe(200);
    await sendDue();
    now += 17 * HOUR_MS;
    await confirmed(from);
    await sendDue();
    expect(mailsTo(friend)).toHaveLength(1);
  });

  test('asks one mailbox three times a day at most, whatever the spelling and the instance, and answers the same', async () => {
    const from = someone();
    const spellings = [from, from.replace('@', '+a@'), from.toUpperCase(), from.replace('@', '+b@'), from];
    const answers = [];
    for (const [index, spelling] of spellings.entries()) {
      answers.push(await refer({ from: spelling, to: people(1), instance: (index % 2) as 0 | 1 }));
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => Object.keys(dataOf(answer).attributes).join())).size).toBe(1);
    await Promise.all([sendDue(), sendDue()]);
    expect(smtp.mails).toHaveLength(3);
    // What was too much does not come later: a stranger must not fill a mailbox for weeks.
    now += DAY_MS;
    await sendDue();
    expect(smtp.mails).toHaveLength(3);
    await referred({ from, to: people(1) });
    await sendDue();
    expect(smtp.mails).toHaveLength(4);
  });

  test('is limited by the network it comes from, over all instances and restarts', async () => {
    for (let count = 0; count < config.postLimits.referralsPerDay; count++) {
      await referred({ from: someone(), to: people(1), instance: (count % 2) as 0 | 1 });
    }
    const restarted = await createApp(createParts(config, { database: shared.database, now: () => now }));
    const [first, second] = apps;
    apps = [restarted, second];
    const refused = await refer({ from: someone(), to: people(1) });
    apps = [first, second];
    await restarted.close();
    expect([refused.statusCode, errorsOf(refused)[0]?.code]).toEqual([429, 'rate_limited']);
    expect(Number(refused.headers['retry-after'])).toBe(DAY_MS / 1000);
    const plain = await apps[1].inject({
      method: 'POST',
      url: '/subscriptions',
      remoteAddress: `10.0.0.${network}`,
      headers: { origin: site, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        source_id: formSources.referral,
        email: someone(),
        to_emails: someone(),
      }).toString(),
    });
    expect(plain.statusCode).toBe(429);
    await referred({ from: someone(), to: people(1), address: '10.9.9.9' });
    now += DAY_MS;
    await referred({ from: someone(), to: people(1) });
  });

  test('that is refused, or repeats one, uses up nothing of what others of the network may send', async () => {
    const repeated = { from: someone(), to: people(1), key: randomUUID() };
    await referred(repeated);
    for (let count = 0; count < 2 * config.postLimits.referralsPerDay; count++) {
      const unsolved = await apps[0].inject({
        method: 'POST',
        url: '/subscriptions',
        remoteAddress: `10.0.0.${network}`,
        payload: {
          email: someone(),
          source_id: formSources.referral,
          form_fields: JSON.stringify({ to_emails: people(1), captcha: 'bm9uZQ==' }),
          visitor_unique_id: '',
          visitor_type: 'guest',
        },
      });
      expect([unsolved.statusCode, errorsOf(unsolved)[0]?.code]).toEqual([403, 'captcha_invalid']);
      expect((await refer(repeated)).statusCode).toBe(200);
    }
    await referred({ from: someone(), to: people(1) });
  });

  test("sent again and again beyond its mailbox's limit queues no more mails than a network has referrals", async () => {
    const from = someone();
    await referred({ from, to: people(1), address: '10.8.0.1' });
    await referred({ from, to: people(1), address: '10.8.0.1' });
    await referred({ from, to: people(1), address: '10.8.0.1' });
    await sendDue();
    const beyond = { from, to: people(1), key: randomUUID() };
    const statuses: number[] = [];
    for (let count = 0; count < config.postLimits.referralsPerDay + 2; count++) {
      statuses.push((await refer(beyond)).statusCode);
      await sendDue();
    }
    expect(statuses.slice(0, 3)).toEqual([201, 200, 200]);
    expect(statuses.slice(-2)).toEqual([429, 429]);
    const queued = await db().selectFrom('invitations').select('id').where('recipient', '=', from).execute();
    expect(queued).toHaveLength(3 + config.postLimits.referralsPerDay);
    expect(mailsTo(from)).toHaveLength(3);
  });

  test.each([
    ['of one sender', { invitationsPerSender: 4 }],
    ['to one domain', { mailsPerDomain: 4 }],
    ['of a day', { mailsPerDay: 5 }],
  ])(
    'has its invitations wait for the next day beyond the limit %s, also for instances that send together',
    async (_limit, limit) => {
      const unlimited = {
        confirmationsPerSender: 0,
        invitationsPerSender: 0,
        mailsPerDomain: 0,
        mailsPerDay: 0,
      };
      const send = () => sendDue({ ...unlimited, ...limit });
      const [from, domain] = [someone(), `${randomUUID()}.example`];
      await referred({ from, to: people(10, domain) });
      await send();
      await confirmed(from);
      const invited = () => recipients().filter((to) => to.endsWith(domain)).length;
      await Promise.all([send(), send(), send()]);
      expect(invited()).toBe(4);
      now += DAY_MS - 1;
      await send();
      expect(invited()).toBe(4);
      for (let day = 0; day < 3; day++) {
        now += DAY_MS + 1;
        await send();
      }
      expect(invited()).toBe(10);
    },
  );

  test.each([
    'a@x.example\r\nBcc: b@x.example',
    'a@x.example\nSubject: Won',
    '"a\r\nBcc: b"@x.example',
    'a@x.example>, <b@x.example',
    'a@x.example,b@x.example',
    '<script>@x.example',
    'Ada <a@x.example>',
  ])(
    'and a subscription to the newsletter go to no address that says more than an address: %j',
    async (email) => {
      const statuses = [
        await refer({ from: email, to: people(1) }),
        await refer({ from: someone(), to: [email] }),
        await apps[0].inject({
          method: 'POST',
          url: '/subscriptions',
          remoteAddress: `10.0.0.${network}`,
          payload: newsletterEntry(email),
        }),
      ].map(({ statusCode }) => statusCode);
      expect(statuses).toEqual([422, 422, 422]);
      await sendDue();
      expect(smtp.mails).toEqual([]);
    },
  );

  describe('tells its sender what is not sent', () => {
    const page = async (from: string) => (await apps[0].inject(lastLinkTo(from))).body;
    /** The address and the reason of each that is left out, as the page has them. */
    const listed = (body: string) =>
      [...(/Not sent:([^]*?)<\/ul>/.exec(body)?.[1] ?? '').matchAll(/<li>([^<]*)<\/li>/g)].map(
        ([, line]) => line,
      );
    const going = (body: string) =>
      [...(/They go to:([^]*?)<\/ul>/.exec(body)?.[1] ?? '').matchAll(/<li>([^<]*)<\/li>/g)].map(
        ([, line]) => line,
      );

    test('because of itself: their own address, one mailbox twice, one that it invited within a year', async () => {
      const [from, friend, other] = [someone(), someone(), someone()];
      const spelled = friend.replace('@', '+again@');
      await referred({ from, to: [from.toUpperCase(), spelled, friend, other] });
      await sendDue();
      const shown = [
        `${from.toUpperCase()}: it is your own address`,
        `${friend}: written twice, another one leads to the same mailbox`,
      ];
      expect(listed(await page(from))).toEqual(shown);
      expect(going(await page(from))).toEqual([spelled, other]);
      const after = await press(lastLinkTo(from));
      expect(listed(after.body)).toEqual(shown);
      await sendDue();
      expect(recipients().sort()).toEqual([from, spelled, other].sort());

      now += 364 * DAY_MS;
      const third = someone();
      await referred({ from: from.replace('@', '+b@'), to: [friend, third, other] });
      await sendDue();
      const again = from.replace('@', '+b@');
      expect(listed(await page(again))).toEqual([
        `${friend}: you invited it within a year`,
        `${other}: you invited it within a year`,
      ]);
      await confirmed(again);
      // A year after they were invited, not after they were last named.
      now += 2 * DAY_MS;
      await referred({ from, to: [friend, third] });
      await sendDue();
      expect([going(await page(from)), listed(await page(from))]).toEqual([
        [friend],
        [`${third}: you invited it within a year`],
      ]);
    });

    test('also when all were invited while the page with the button was open', async () => {
      const [from, friend] = [someone(), someone()];
      await referred({ from, to: [friend], message: 'One' });
      await sendDue();
      const first = lastLinkTo(from);
      await referred({ from, to: [friend], message: 'Two' });
      await sendDue();
      expect(going(await page(from))).toEqual([friend]);
      expect((await press(first)).body).toContain('Your referral is on its way');
      const { body } = await press(lastLinkTo(from));
      expect(listed(body)).toEqual([`${friend}: you invited it within a year`]);
      expect(body).toContain('<h1>There is nobody to invite</h1>');
      expect(body).not.toContain('on its way');
    });

    test('and not what others did: invited it, confirmed nothing, want no mail', async () => {
      const [from, invited, unwilling] = [someone(), someone(), someone()];
      for (const sender of [someone(), someone()]) {
        await referred({ from: sender, to: [invited, unwilling] });
        await sendDue();
        await confirmed(sender);
        await sendDue();
      }
      const path = /forms(\/unsubscribe\/[^>\s]+)/.exec(unfolded(mailsTo(unwilling)[0]!.text))![1]!;
      expect((await press(path)).statusCode).toBe(200);
      // What is not confirmed was perhaps sent by somebody else in this name.
      await referred({ from, to: [invited] });
      await sendDue();
      const referral = { from, to: [invited, unwilling] };
      await referred(referral);
      await sendDue();
      expect([going(await page(from)), listed(await page(from))]).toEqual([[invited, unwilling], []]);
      expect(listed((await press(lastLinkTo(from))).body)).toEqual([]);
      await sendDue();
      // Nor does it show the second time that nothing went out the first time.
      await referred(referral);
      await sendDue();
      const body = await page(from);
      expect([going(body), listed(body)]).toEqual([
        [],
        [`${invited}: you invited it within a year`, `${unwilling}: you invited it within a year`],
      ]);
      expect(body).not.toContain('<button>');
      expect([mailsTo(invited).length, mailsTo(unwilling).length]).toEqual([1, 1]);
    });

    test('and sends once more what could not be delivered', async () => {
      const [from, away] = [someone(), someone()];
      smtp.refuse = (address) => (address === away ? 550 : null);
      await referred({ from, to: [away] });
      await sendDue();
      await confirmed(from);
      await sendDue();
      smtp.refuse = () => null;
      await referred({ from, to: [away] });
      await sendDue();
      expect([going(await page(from)), listed(await page(from))]).toEqual([[away], []]);
      await confirmed(from);
      await sendDue();
      expect(mailsTo(away)).toHaveLength(1);
    });

    test('and not by the answer to the form, which anyone gets who types the address of another', async () => {
      const [from, friend] = [someone(), someone()];
      await referred({ from, to: [friend] });
      await sendDue();
      await confirmed(from);
      const known = dataOf(await refer({ from, to: [friend, from] }));
      const unknown = dataOf(await refer({ from: someone(), to: [friend, from] }));
      expect(Object.keys(known.attributes)).toEqual(Object.keys(unknown.attributes));
      expect(JSON.stringify(known)).not.toContain(friend);
      await sendDue();
    });
  });

  test('asks nobody who wants no mail, which the mail that asks offers too', async () => {
    const from = someone();
    await referred({ from, to: people(1) });
    await sendDue();
    const path = /forms(\/unsubscribe\/[^>\s]+)/.exec(unfolded(mailsTo(from)[0]!.text))![1]!;
    expect((await press(path)).statusCode).toBe(200);
    await referred({ from: from.replace('@', '+again@'), to: people(1) });
    await sendDue();
    expect(smtp.mails).toHaveLength(1);
  });

  test.each([
    ['https://evil.example/x', false],
    ['See evil.example', false],
    ['See WWW.Evil.com/path', false],
    ['ftp://10.0.0.1', false],
    ['Write to me@evil.example', false],
    ['bücher.de', false],
    ['例え。テスト', false],
    ['evil.xn--p1ai', false],
    ['one line\nt.co/x', false],
    ['A good tool, e.g. for forms. It is free: 3.5 hours saved … Have a look.', true],
  ])('with the words %j is taken: %s', async (message, taken) => {
    const answer = await refer({ from: someone(), to: people(1), message });
    expect(answer.statusCode).toBe(taken ? 201 : 422);
    if (!taken) expect(errorsOf(answer)[0]?.source).toEqual({ pointer: '/form_fields/message' });
  });

  test('of an address that reads as a link is refused', async () => {
    const answer = await refer({ from: 'evil.example/win?you=1@attacker.example', to: people(1) });
    expect([answer.statusCode, errorsOf(answer)[0]?.source]).toEqual([422, { pointer: '/email' }]);
  });
});
