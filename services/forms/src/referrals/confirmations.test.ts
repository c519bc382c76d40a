import { randomUUID } from 'node:crypto';
import { formSources } from '@site/contract';
import { readData, readErrors } from '@site/server/testing/answers';
import { isAnyoneWaiting } from '@site/server/testing/is-anyone-waiting';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { createParts } from '../parts.ts';
import { formsDefaults } from '../config.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import { formsMigrations } from '../migrations.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { newsletterEntry } from '../testing/newsletter-entry.ts';
import { newConfirmation } from '../outbox/outbox.repository.ts';
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
  /** Two instances on one database: limits apply to both together. */
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
    // No pending emails of earlier tests.
    await db().deleteFrom('emails').where('status', '=', 'waiting').execute();
    // The daily limits have expired.
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

  test("of three anonymous posts to sixty spellings of one mailbox reaches only the sender's address, with our text", async () => {
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
    // Email scanners open every link.
    for (const { text } of smtp.mails) {
      for (const method of ['GET', 'HEAD'] as const)
        expect((await apps[0].inject({ method, url: linkIn(text) })).statusCode).toBe(200);
    }
    await sendDue();
    expect(smtp.mails).toHaveLength(3);

    // Confirming all three sends one email to the mailbox.
    for (const { text } of [...smtp.mails]) expect((await press(linkIn(text))).statusCode).toBe(200);
    for (let day = 0; day < 5; day++, now += DAY_MS + 1) await sendDue();
    expect(recipients().filter((to) => /^victim/i.test(to))).toHaveLength(1);
  });

  test('is sent after its sender has seen it and clicked the button, with replies to the sender', async () => {
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

  test('is confirmed once, by a signed link, within 24 hours of the email', async () => {
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
    const unknown = Array(2).fill([404, 'Nothing to confirm with this link']);
    expect(await codes(link.slice(0, -1))).toEqual(unknown);
    expect(await codes(link.replace(/\?.*/, ''))).toEqual(unknown);
    expect(await codes(link.replace('/confirm/', '/unsubscribe/'))).toEqual(
      Array(2).fill([404, 'Unknown email link']),
    );
    now += DAY_MS;
    expect(await codes(link)).toEqual(Array(2).fill([410, 'The confirmation link has expired']));
    now -= 1;
    const pressed = await Promise.all([press(link), press(link), press(link)]);
    expect(pressed.map(({ statusCode }) => statusCode).sort()).toEqual([200, 410, 410]);
    expect(await codes(link)).toEqual(Array(2).fill([410, 'Already confirmed']));
    // The page has no user input.
    expect((await press(link)).body).not.toContain('filled in');
  });

  test('sent again gets a new confirmation email only after its link has expired', async () => {
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

  test('gets one confirmation email even if a repetition arrives before the first request is committed', async () => {
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
        const asked = newConfirmation('confirmation', { id, email: referral.from }, new Date(now));
        await first.insertInto('emails').values(asked).execute();
        let isAnswered = false as boolean;
        const repeated = refer(referral).finally(() => (isAnswered = true));
        while (!isAnswered && !(await isAnyoneWaiting(db())));
        return { second: repeated };
      });
    expect((await second).statusCode).toBe(200);
    const waiting = db().selectFrom('emails').select('id').where('subscription_id', '=', id);
    expect(await waiting.where('status', '=', 'waiting').execute()).toHaveLength(1);
  });

  test('confirmed in time is sent even if it is more than thirty days old', async () => {
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

  test('sends at most three confirmation emails a day to one mailbox, across spellings and instances, with the same response', async () => {
    const from = someone();
    const spellings = [from, from.replace('@', '+a@'), from.toUpperCase(), from.replace('@', '+b@'), from];
    const answers = [];
    for (const [index, spelling] of spellings.entries()) {
      answers.push(await refer({ from: spelling, to: people(1), instance: (index % 2) as 0 | 1 }));
    }
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([201, 201, 201, 201, 201]);
    expect(new Set(answers.map((answer) => Object.keys(readData(answer).attributes).join())).size).toBe(1);
    await Promise.all([sendDue(), sendDue()]);
    expect(smtp.mails).toHaveLength(3);
    // Excess emails are dropped, not delayed: otherwise a mailbox could be filled for weeks.
    now += DAY_MS;
    await sendDue();
    expect(smtp.mails).toHaveLength(3);
    await referred({ from, to: people(1) });
    await sendDue();
    expect(smtp.mails).toHaveLength(4);
  });

  test('is limited per network, across instances and restarts', async () => {
    for (let count = 0; count < config.postLimits.referralsPerDay; count++) {
      await referred({ from: someone(), to: people(1), instance: (count % 2) as 0 | 1 });
    }
    const restarted = await createApp(createParts(config, { database: shared.database, now: () => now }));
    const [first, second] = apps;
    apps = [restarted, second];
    const refused = await refer({ from: someone(), to: people(1) });
    apps = [first, second];
    await restarted.close();
    expect([refused.statusCode, readErrors(refused)[0]?.code]).toEqual([429, 'rate_limited']);
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

  test('that is rejected or repeated does not count against the limit of its network', async () => {
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
      expect([unsolved.statusCode, readErrors(unsolved)[0]?.code]).toEqual([403, 'captcha_invalid']);
      expect((await refer(repeated)).statusCode).toBe(200);
    }
    await referred({ from: someone(), to: people(1) });
  });

  test("repeated beyond its mailbox's limit queues no more emails than its network's limit allows", async () => {
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
    const queued = await db().selectFrom('emails').select('id').where('recipient', '=', from).execute();
    expect(queued).toHaveLength(3 + config.postLimits.referralsPerDay);
    expect(mailsTo(from)).toHaveLength(3);
  });

  test.each([
    ['of one sender', { invitationsPerSender: 4 }],
    ['to one domain', { mailsPerDomain: 4 }],
    ['of a day', { mailsPerDay: 5 }],
  ])(
    'delays its invitations to the next day beyond the limit %s, even across concurrent instances',
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
  ])('and a newsletter subscription are not sent to an address with a display text: %j', async (email) => {
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
  });

  describe('shows its sender the skipped recipients', () => {
    const page = async (from: string) => (await apps[0].inject(lastLinkTo(from))).body;
    const listed = (body: string) =>
      [...(/Not sent:([^]*?)<\/ul>/.exec(body)?.[1] ?? '').matchAll(/<li>([^<]*)<\/li>/g)].map(
        ([, line]) => line,
      );
    const going = (body: string) =>
      [...(/They’ll go to:([^]*?)<\/ul>/.exec(body)?.[1] ?? '').matchAll(/<li>([^<]*)<\/li>/g)].map(
        ([, line]) => line,
      );

    test("because of the sender's own actions: own address, duplicate mailbox, invited within a year", async () => {
      const [from, friend, other] = [someone(), someone(), someone()];
      const spelled = friend.replace('@', '+again@');
      await referred({ from, to: [from.toUpperCase(), spelled, friend, other] });
      await sendDue();
      const shown = [
        `${from.toUpperCase()}: this is your own address`,
        `${friend}: listed twice (same inbox)`,
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
        `${friend}: you invited this address in the past year`,
        `${other}: you invited this address in the past year`,
      ]);
      await confirmed(again);
      // A year after the invitation, not after the last referral.
      now += 2 * DAY_MS;
      await referred({ from, to: [friend, third] });
      await sendDue();
      expect([going(await page(from)), listed(await page(from))]).toEqual([
        [friend],
        [`${third}: you invited this address in the past year`],
      ]);
    });

    test('even if all were invited while the confirmation page was open', async () => {
      const [from, friend] = [someone(), someone()];
      await referred({ from, to: [friend], message: 'One' });
      await sendDue();
      const first = lastLinkTo(from);
      await referred({ from, to: [friend], message: 'Two' });
      await sendDue();
      expect(going(await page(from))).toEqual([friend]);
      expect((await press(first)).body).toContain('Your invitations are on their way');
      const { body } = await press(lastLinkTo(from));
      expect(listed(body)).toEqual([`${friend}: you invited this address in the past year`]);
      expect(body).toContain('<h1>No one to invite</h1>');
      expect(body).not.toContain('on its way');
    });

    test('but not those skipped because of others: invited by others, unconfirmed, unsubscribed', async () => {
      const [from, invited, unwilling] = [someone(), someone(), someone()];
      for (const sender of [someone(), someone()]) {
        await referred({ from: sender, to: [invited, unwilling] });
        await sendDue();
        await confirmed(sender);
        await sendDue();
      }
      const path = /forms(\/unsubscribe\/[^>\s]+)/.exec(unfolded(mailsTo(unwilling)[0]!.text))![1]!;
      expect((await press(path)).statusCode).toBe(200);
      // An unconfirmed referral may be from someone else.
      await referred({ from, to: [invited] });
      await sendDue();
      const referral = { from, to: [invited, unwilling] };
      await referred(referral);
      await sendDue();
      expect([going(await page(from)), listed(await page(from))]).toEqual([[invited, unwilling], []]);
      expect(listed((await press(lastLinkTo(from))).body)).toEqual([]);
      await sendDue();
      // The second referral does not reveal the first one's result.
      await referred(referral);
      await sendDue();
      const body = await page(from);
      expect([going(body), listed(body)]).toEqual([
        [],
        [
          `${invited}: you invited this address in the past year`,
          `${unwilling}: you invited this address in the past year`,
        ],
      ]);
      expect(body).not.toContain('<button>');
      expect([mailsTo(invited).length, mailsTo(unwilling).length]).toEqual([1, 1]);
    });

    test('and retries undeliverable ones', async () => {
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

    test('but not in the response to the form, which others can request for any address', async () => {
      const [from, friend] = [someone(), someone()];
      await referred({ from, to: [friend] });
      await sendDue();
      await confirmed(from);
      const known = readData(await refer({ from, to: [friend, from] }));
      const unknown = readData(await refer({ from: someone(), to: [friend, from] }));
      expect(Object.keys(known.attributes)).toEqual(Object.keys(unknown.attributes));
      expect(JSON.stringify(known)).not.toContain(friend);
      await sendDue();
    });
  });

  test('sends nothing to unsubscribed senders; its confirmation email has an unsubscribe link too', async () => {
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
    ['evil。com', false],
    ['We use Node.js, Vue.js and ASP.NET. See README.md at 9.30am.Thanks.Best regards', true],
    ['こんにちは。よろしく', true],
    ['A good tool, e.g. for forms. It is free: 3.5 hours saved … Have a look.', true],
  ])('with the message %j is accepted: %s', async (message, taken) => {
    const answer = await refer({ from: someone(), to: people(1), message });
    expect(answer.statusCode).toBe(taken ? 201 : 422);
    if (!taken) expect(readErrors(answer)[0]?.source).toEqual({ pointer: '/form_fields/message' });
  });

  test('of an address that looks like a link is rejected', async () => {
    const answer = await refer({ from: 'evil.example/win?you=1@attacker.example', to: people(1) });
    expect([answer.statusCode, readErrors(answer)[0]?.source]).toEqual([422, { pointer: '/email' }]);
  });
});
