import { randomUUID } from 'node:crypto';
import {
  IDEMPOTENCY_HEADER,
  newsletterThanks,
  referralThanks,
  type ReferralConfirmation,
} from '@site/contract';
import { readMail, startSmtp, unfolded, type TestSmtp } from '@site/forms/testing/start-smtp';
import { Client } from 'pg';
import { sharedSite } from './harness/shared-site.ts';
import { startSite, type Site } from './harness/site.ts';
import { storedRows } from './harness/stored-rows.ts';
import { until } from './harness/until.ts';
import { open, visitors, type Visitor } from './harness/visitor.ts';

const newVisitor = visitors();

/** Submits a referral as a visitor. */
async function refer({ page }: Visitor, from: string, to: string, told: ReferralConfirmation): Promise<void> {
  const form = page.getByRole('form', { name: 'Refer someone' });
  await form.getByLabel('From: your email').fill(from);
  await form.getByLabel('To: their emails').fill(to);
  await form.getByRole('button').click();
  await page.getByRole('status').filter({ hasText: referralThanks[told].text }).waitFor();
}

describe('the captcha', () => {
  const stored = storedRows();

  test('is solved in a worker without interaction, and a solution is valid for one submission only', async () => {
    const visitor = await newVisitor();
    const { page } = visitor;
    await open(visitor, `${sharedSite().url}/partners`);
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(new URL(worker.url()).pathname));
    const posted = page.waitForRequest((request) => request.url().endsWith('/subscriptions'));
    const email = `${randomUUID()}@example.com`;
    await refer(visitor, email, 'ada@example.com', 'by_mail');
    expect(workers).toHaveLength(1);
    expect(await page.getByText(/captcha|robot/i).count()).toBe(0);
    expect(await stored.subscriptions(email)).toEqual([
      expect.objectContaining({ verified_by: 'captcha', suspected_spam: false }),
    ]);

    // A replayed request is the same submission. A different one needs a new captcha.
    const request = await posted;
    const headers = await request.allHeaders();
    const body = JSON.parse(request.postData()!) as { form_fields: string };
    const resend = (change: { body?: object; key?: string }) =>
      page.request.fetch(request.url(), {
        method: 'POST',
        headers: { ...headers, [IDEMPOTENCY_HEADER]: change.key ?? headers[IDEMPOTENCY_HEADER]! },
        data: { ...body, ...change.body },
      });
    expect((await resend({})).status()).toBe(200);
    const other = `${randomUUID()}@example.com`;
    for (const change of [{ key: randomUUID() }, { key: randomUUID(), body: { email: other } }]) {
      const refused = await resend(change);
      expect(refused.status()).toBe(403);
      expect(await refused.json()).toMatchObject({ errors: [{ code: 'captcha_invalid' }] });
    }
    expect(await stored.subscriptions(email)).toHaveLength(1);
    expect(await stored.subscriptions(other)).toEqual([]);
    expect(visitor.problems()).toEqual([]);
  });
});

describe('with a mail server,', () => {
  let smtp: TestSmtp;
  let site: Site;

  beforeAll(async () => {
    smtp = await startSmtp();
    site = await startSite({
      env: { SMTP_URL: smtp.url, MAIL_FROM: 'Blocks <hello@blocks.example>' },
    });
  });
  afterAll(async () => {
    await site.stop();
    await smtp.close();
  });

  const recipients = () => smtp.mails.flatMap(({ to }) => to);
  /** The recipient of the link: possibly without JavaScript, and a new visitor. */
  async function confirm(from: string): Promise<void> {
    await until(() => expect(mailsTo(from)).toHaveLength(1));
    const link = /This link works for 24 hours: (\S+)/.exec(unfolded(mailsTo(from)[0]!.text))?.[1] ?? '';
    expect(link).toContain(site.forms);
    const reader = await newVisitor({ javaScript: false });
    await reader.page.goto(link);
    await reader.page.getByRole('button', { name: 'Send the invitations' }).click();
    await reader.page.getByRole('heading', { name: 'Your invitations are on their way' }).waitFor();
    expect(reader.problems()).toEqual([]);
    await reader.close();
  }

  async function rows(query: string, email: string): Promise<object[]> {
    const client = new Client({ connectionString: site.databaseUrl! });
    await client.connect();
    const { rows: found } = await client.query(query, [email]);
    await client.end();
    return found as object[];
  }
  /** The newsletter's subscribers. */
  const findSubscribers = (email: string) => rows('select * from forms.subscribers where email = $1', email);
  const findReferrals = (email: string) => rows('select id from forms.subscriptions where email = $1', email);

  const mailsTo = (address: string) => smtp.mails.filter(({ to }) => to.includes(address));

  test('each recipient gets an invitation once the sender has confirmed, and its unsubscribe link ends all email to that address', async () => {
    const visitor = await newVisitor();
    await open(visitor, `${site.url}/partners`);
    await refer(visitor, 'zoe@example.com', 'ada@example.com, bob@example.org', 'by_mail');
    await until(() => expect(recipients()).toEqual(['zoe@example.com']));
    await confirm('zoe@example.com');
    await until(() =>
      expect(recipients().sort()).toEqual(['ada@example.com', 'bob@example.org', 'zoe@example.com']),
    );
    const text = unfolded(mailsTo('ada@example.com')[0]!.text);
    expect(text).toContain('zoe@example.com asked us to send you this invitation to Blocks.');
    const link = /stop all email from us: (\S+)/.exec(text)?.[1] ?? '';
    expect(link).toContain(site.forms);

    // A recipient who follows the invitation and signs up is known as invited, even from another page.
    const { page: invited, context } = await newVisitor();
    const look = /Take a look: (\S+)/.exec(text)?.[1] ?? '';
    const code = /\?referral=([\da-f-]{36})$/.exec(look)?.[1];
    expect(await findReferrals('zoe@example.com')).toEqual([expect.objectContaining({ id: code })]);
    await invited.goto(look);
    const kept = () => invited.evaluate(() => sessionStorage.getItem('campaign'));
    await until(async () => expect(await kept()).toBe(`referral=${code}`));
    await context.route(/\/auth\/register/, (route) =>
      route.fulfill({ body: 'The application', contentType: 'text/plain' }),
    );
    await invited.getByRole('banner').getByRole('link', { name: 'START building' }).click();
    await invited.getByRole('link', { name: 'Choose Startups' }).click();
    await invited.waitForURL(`**/auth/register?plan=startups&referral=${code}`);
    await context.close();

    // The recipient: possibly without JavaScript, and a new visitor.
    const reader = await newVisitor({ javaScript: false });
    await reader.page.goto(link);
    await reader.page.getByRole('button', { name: 'Unsubscribe' }).click();
    await reader.page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(reader.problems()).toEqual([]);
    await reader.page.goto(`${link}x`);
    await reader.page.getByRole('heading', { name: 'Unknown email link' }).waitFor();
    await reader.close();

    await visitor.page.getByRole('button', { name: 'Refer someone else' }).click();
    await refer(visitor, 'eve@example.com', 'ADA@example.com, carl@example.org', 'by_mail');
    await confirm('eve@example.com');
    await until(() => expect(mailsTo('carl@example.org')).toHaveLength(1));
    expect(recipients().filter((to) => to.toLowerCase() === 'ada@example.com')).toHaveLength(1);
    expect(visitor.problems()).toEqual([]);
  });

  test('the newsletter goes to an address confirmed by an email link, until it is unsubscribed by a link', async () => {
    const email = `${randomUUID()}@example.com`;
    const visitor = await newVisitor();
    await open(visitor, `${site.url}/blocks`);
    const section = visitor.page.getByRole('region', { name: 'New blocks, in your inbox' });
    await section.getByLabel('Email').fill(email);
    await section.getByRole('button', { name: 'Subscribe' }).click();
    const { title, text } = newsletterThanks.by_mail;
    await section
      .getByRole('status')
      .filter({ hasText: `${title} ${text}` })
      .waitFor();
    await until(() => expect(mailsTo(email)).toHaveLength(1));
    expect(await findSubscribers(email)).toEqual([]);

    // The recipient: possibly without JavaScript, and a new visitor.
    const mail = readMail(mailsTo(email)[0]!.text);
    const reader = await newVisitor({ javaScript: false });
    await reader.page.goto('about:blank');
    await reader.page.setContent(mail.html);
    await reader.page.getByRole('link', { name: 'Confirm' }).click();
    await reader.page.getByRole('button', { name: 'Confirm' }).click();
    await reader.page.getByRole('heading', { name: 'You are subscribed' }).waitFor();
    expect(await findSubscribers(email)).toEqual([expect.objectContaining({ email })]);

    await reader.page.goto('about:blank');
    await reader.page.setContent(mail.html);
    await reader.page.getByRole('link', { name: 'unsubscribe' }).click();
    await reader.page.getByRole('button', { name: 'Unsubscribe' }).click();
    await reader.page.getByRole('heading', { name: 'You are unsubscribed' }).waitFor();
    expect(await findSubscribers(email)).toEqual([]);
    expect(reader.problems()).toEqual([]);
    expect(visitor.problems()).toEqual([]);
  });
});
