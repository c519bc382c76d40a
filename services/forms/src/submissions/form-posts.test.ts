import { createHash, randomUUID } from 'node:crypto';
import { controlAttributes, formSources, referralThanks, siteForms } from '@site/contract';
import { referralForm } from '@site/contract/forms/referral';
import type { Database } from '@site/server/open-database';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { createParts } from '../parts.ts';
import { formsDefaults } from '../config.ts';
import { formsMigrations } from '../migrations.ts';
import type { MailConfig } from '../outbox/transport.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { newsletterEntry } from '../testing/newsletter-entry.ts';

const site = 'https://site.example';
const config = {
  ...formsDefaults,
  jwksUrl: 'http://127.0.0.1:1/jwks.json',
  appIds: ['site-app'],
  origins: [site],
  rateLimit: { perAddress: 0, perGuest: 0 },
  postLimits: { formPostsPerHour: 30, referralsPerDay: 5 },
  publicUrl: 'https://forms.example/',
};

const partner = {
  source_id: formSources['partner-application'],
  first_name: 'Ada',
  last_name: 'Lovelace',
  phone: '+1 303 555 0100',
  country: 'US',
  business_name: 'Engines',
  website: '',
  how_heard: 'event',
  captcha: '',
  reference_note: '',
};

describe('forms posted without JavaScript', () => {
  let server: TestDatabase;
  let database: Database;
  let app: FastifyInstance;
  let now = Date.parse('2026-03-01T12:00:00Z');
  let address = 0;

  beforeAll(async () => {
    server = await startDatabase();
    ({ database } = server);
    await database.migrate('forms', formsMigrations);
    app = await createApp(createParts(config, { database, now: () => now }));
  });
  afterAll(async () => {
    await app.close();
    await server.stop();
  });
  beforeEach(() => (address += 1));

  const post = (fields: Record<string, string> | [string, string][], headers: Record<string, string> = {}) =>
    app.inject({
      method: 'POST',
      url: '/subscriptions',
      remoteAddress: `10.0.0.${address}`,
      headers: { origin: site, 'content-type': 'application/x-www-form-urlencoded', ...headers },
      payload: new URLSearchParams(fields).toString(),
    });
  const readRows = (email: string) =>
    database
      .schema<FormsTables>('forms')
      .selectFrom('subscriptions')
      .selectAll()
      .where('email', '=', email)
      .execute();
  const anyone = () => `${randomUUID()}@example.com`;

  test('are stored once, marked as not verified by a captcha, and redirect to a page that can be reloaded', async () => {
    const email = anyone();
    const referral = { source_id: formSources.referral, email, to_emails: 'a@x.com, b@x.com', message: 'Hi' };
    const answers = [await post(referral), await post({ ...referral, captcha: 'x' })];
    for (const answer of answers) {
      expect([answer.statusCode, answer.headers.location]).toEqual([
        303,
        `received?form=referral&site=${encodeURIComponent(site)}`,
      ]);
    }
    const [row, ...more] = await readRows(email);
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      source_id: formSources.referral,
      form_fields: '{"to_emails":["a@x.com","b@x.com"],"message":"Hi"}',
      visitor_unique_id: '',
      verified_by: 'rate_limit',
      suspected_spam: false,
    });
    const page = await app.inject(`/${String(answers[0]!.headers.location)}`);
    expect([page.statusCode, page.headers['content-type']]).toEqual([200, 'text/html; charset=utf-8']);
    // Phones must not turn its numbers and dates into links.
    expect(page.body).toContain('<meta name="format-detection" content="telephone=no');
    expect(page.body).toContain('We’ve got your referral');
    expect(page.body).toContain(`href="${site}/partners#refer"`);
    const [, style = ''] = /<style>(.*?)<\/style>/s.exec(page.body) ?? [];
    const hash = createHash('sha256').update(style).digest('base64');
    expect(page.headers['content-security-policy']).toContain(
      `default-src 'none'; style-src 'sha256-${hash}';`,
    );
    expect(page.body).not.toMatch(/<script|style="|https?:\/\/(?!site\.example)/);
  });

  test('announce a confirmation email only if one can be sent', async () => {
    const received = async (mail: MailConfig | null) => {
      const service = await createApp(createParts({ ...config, mail }, { database, now: () => now }));
      const page = await service.inject('/received?form=referral');
      await service.close();
      return page.body;
    };
    const sending = await received({ smtpUrl: 'smtp://127.0.0.1:1', from: 'hello@site.example' });
    expect(sending).toContain(referralThanks.by_mail.title);
    expect(sending).toContain('We’ve emailed you a confirmation link.');
    const holding = await received(null);
    expect(holding).toContain(referralThanks.held.title);
    expect(holding).toContain('We can’t send email right now');
    expect(holding).not.toContain('We are sending');
  });

  test('with unknown or duplicate fields are rejected by name, never stored without them', async () => {
    const email = anyone();
    for (const [fields, named] of [
      [[['nickname', 'Bob']], ['“nickname”']],
      [
        [
          ['constructor', 'x'],
          ['employer', 'y'],
          ['employer', 'z'],
        ],
        ['“constructor”', '“employer”'],
      ],
      [[['to_emails', 'b@x.com']], ['#to_emails']],
    ] as [[string, string][], string[]][]) {
      const answer = await post([
        ...Object.entries({ source_id: formSources.referral, email, to_emails: 'a@x.com' }),
        ...fields,
      ]);
      expect(answer.statusCode).toBe(422);
      for (const name of named) expect(answer.body).toContain(name);
      // Known fields keep their values.
      expect(answer.body).toContain(`value="${email}"`);
    }
    const newsletter = await post({ source_id: formSources.newsletter, email, topics: 'news' });
    expect(newsletter.statusCode).toBe(422);
    expect(newsletter.body).toContain('“topics”');
    expect(await readRows(email)).toEqual([]);
  });

  test('carry every field of the partner application', async () => {
    const email = anyone();
    const fields = Object.entries({ ...partner, email, website: 'example.com' });
    const answer = await post([...fields, ['services', 'design'], ['services', 'support']]);
    expect(answer.statusCode).toBe(303);
    const [row] = await readRows(email);
    expect(JSON.parse(row!.form_fields)).toEqual({
      first_name: 'Ada',
      last_name: 'Lovelace',
      phone: '+1 303 555 0100',
      country: 'US',
      business_name: 'Engines',
      website: 'https://example.com',
      services: ['design', 'support'],
      how_heard: 'event',
      reference_note: '',
    });
  });

  test('subscribe to the newsletter', async () => {
    const email = anyone();
    const answer = await post({ source_id: formSources.newsletter, email, reference_note: '' });
    expect(answer.statusCode).toBe(303);
    expect(await readRows(email)).toEqual([
      expect.objectContaining({ form_fields: email, visitor_type: 'guest' }),
    ]);
    const blank = await post({ source_id: formSources.newsletter, email: ' ' });
    expect(blank.statusCode).toBe(422);
    expect(blank.body).toContain('You need to provide a valid email to subscribe.');
  });

  test('with a filled honeypot are stored as suspected spam with the normal response, without invitations', async () => {
    for (const source_id of [formSources.referral, formSources.newsletter]) {
      const email = anyone();
      const answer = await post({
        source_id,
        email,
        ...(source_id === formSources.referral ? { to_emails: 'a@x.com' } : {}),
        reference_note: 'b\u0000uy'.repeat(999),
      });
      expect(answer.statusCode).toBe(303);
      const [row] = await readRows(email);
      expect(row).toMatchObject({ suspected_spam: true });
      const queued = database.schema<FormsTables>('forms').selectFrom('emails').selectAll();
      expect(await queued.where('subscription_id', '=', row!.id).execute()).toEqual([]);
    }
  });

  test('with a filled honeypot do not prevent the owner of the address from subscribing', async () => {
    const email = anyone();
    const newsletter = { source_id: formSources.newsletter, email };
    expect((await post({ ...newsletter, reference_note: 'buy' })).statusCode).toBe(303);
    expect((await post({ ...newsletter, reference_note: '' })).statusCode).toBe(303);
    expect((await readRows(email)).map((row) => row.suspected_spam).sort()).toEqual([false, true]);
  });

  test('count a line break as one character, as browsers do, and store it as the page sends it', async () => {
    const email = anyone();
    const { maxLength = 0 } = controlAttributes(referralForm.fields.message);
    const message = `Hi\n${'\n'.repeat(500)}`.padEnd(maxLength, 'x');
    const referral = { source_id: formSources.referral, email, to_emails: 'a@x.com' };
    const posted = await post({ ...referral, message: message.replaceAll('\n', '\r\n') });
    expect(posted.statusCode).toBe(303);
    const [row] = await readRows(email);
    expect(JSON.parse(row!.form_fields)).toMatchObject({ message });
    expect((await post({ ...referral, message: `${message}\r\nx` })).statusCode).toBe(422);
  });

  test('with invalid fields return the values and the errors, and nothing is stored', async () => {
    const email = anyone();
    const referral = await post({
      source_id: formSources.referral,
      email,
      to_emails: 'a@x.com, b&b@x, Eve',
      message: '\nHi,\r\n"look" <here>',
    });
    expect(referral.statusCode).toBe(422);
    const [wrong, eve] = ['“b&amp;b@x”', '“Eve”'].map(
      (entry) => `${entry}: Enter an email address such as name@example.com.`,
    );
    expect(referral.body).toContain(`<a href="#to_emails">${wrong}</a>`);
    expect(referral.body).toContain(`<p class="error" id="to_emails-error">${wrong} ${eve}</p>`);
    expect(referral.body).toContain(`value="${email}"`);
    expect(referral.body).toContain('>\na@x.com, b&amp;b@x, Eve</textarea>');
    expect(referral.body).toContain('>\n\nHi,\n&quot;look&quot; &lt;here&gt;</textarea>');

    const empty = await post([
      ...Object.entries({ source_id: partner.source_id, email, country: 'CO', how_heard: 'event' }),
      ['services', 'design'],
      ['services', 'nonsense'],
    ]);
    expect([...empty.body.matchAll(/ id="(\w+)-error">([^<]*)/g)].map(([, id, text]) => [id, text])).toEqual([
      ['first_name', 'Enter your first name.'],
      ['last_name', 'Enter your last name. If you have one name, enter it here too.'],
      ['phone', 'Enter a phone number.'],
      ['business_name', 'Enter the name of your business.'],
      ['services', 'Choose from the services listed.'],
    ]);
    expect(empty.body).toMatch(/<option value="CO" selected>Colombia<\/option>/);
    expect(empty.body.match(/value="(\w|-)+" checked/g)).toEqual([
      'value="design" checked',
      'value="event" checked',
    ]);
    expect(empty.body).toContain(`href="${site}/partners#apply"`);
    expect(await readRows(email)).toEqual([]);
  });

  test.each(Object.values(siteForms))('return every field of $name, with its limits', async (form) => {
    const { statusCode, body } = await post({ source_id: form.sourceId });
    expect(statusCode).toBe(422);
    expect(body).toContain(`<form method="post" aria-label="${form.title}">`);
    expect(body).toContain(`<button>${form.button}</button>`);
    for (const [name, field] of Object.entries(form.fields)) {
      expect(body).toContain(`${field.label}${field.optional ? ' <small>(optional)</small>' : ''}</`);
      const [control = ''] = new RegExp(`<\\w+ [^>]*name="${name}"[^>]*>`).exec(body) ?? [];
      const { required, maxLength } = controlAttributes(field);
      expect(control).not.toBe('');
      expect(/ maxlength="(\d+)"/.exec(control)?.[1]).toBe(maxLength?.toString());
      if (field.kind !== 'radio') expect(/ required/.test(control)).toBe(required === true);
    }
  });

  test('that were rejected can be sent again, and link back to the original site', async () => {
    const email = anyone();
    const first = await post({ source_id: formSources.newsletter, email: 'not-an-address' });
    expect(first.headers['referrer-policy']).toBe('same-origin');
    expect(first.body).toContain(`<input type="hidden" name="site" value="${site}" />`);
    const again = await post(
      { source_id: formSources.newsletter, email, site },
      { origin: 'https://forms.example', host: 'behind-a-proxy:8082' },
    );
    expect([again.statusCode, again.headers.location]).toEqual([
      303,
      `received?form=newsletter&site=${encodeURIComponent(site)}`,
    ]);
    expect(await readRows(email)).toHaveLength(1);
    const elsewhere = await post(
      { source_id: formSources.newsletter, email: anyone(), site: 'https://evil.example' },
      { origin: 'https://forms.example', host: 'forms.example' },
    );
    expect(elsewhere.headers.location).toContain(encodeURIComponent(site));
  });

  test.each([
    ['another site', { origin: 'https://evil.example' }],
    [
      'another site that says the host is its own',
      { origin: 'https://evil.example', host: 'evil.example', 'x-forwarded-host': 'evil.example' },
    ],
    ['a page that hides where it is', { origin: 'null', referer: `${site}/partners` }],
    ['a site whose name only begins like ours', { origin: `${site}.evil.example` }],
    ['a referring page of another site', { origin: undefined, referer: `https://evil.example/?${site}` }],
    ['nowhere', { origin: undefined }],
  ])('from %s are rejected', async (_from, { origin, ...headers }: Record<string, string | undefined>) => {
    const email = anyone();
    const answer = await app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(origin === undefined ? {} : { origin }),
        ...headers,
      },
      payload: new URLSearchParams({ source_id: formSources.newsletter, email }).toString(),
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([403, 'text/html; charset=utf-8']);
    expect(answer.body).toContain('Not sent from the site');
    expect(answer.body).not.toContain(email);
    expect(await readRows(email)).toEqual([]);
  });

  test('from a page of the site that is known only by its referrer are accepted', async () => {
    const email = anyone();
    const answer = await app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: { 'content-type': 'application/x-www-form-urlencoded', referer: `${site}/home` },
      payload: new URLSearchParams({ source_id: formSources.newsletter, email }).toString(),
    });
    expect(answer.statusCode).toBe(303);
  });

  test('are limited by address per hour', async () => {
    const fill = (email: string) => post({ source_id: formSources.newsletter, email });
    for (let count = 0; count < config.postLimits.formPostsPerHour; count++) {
      expect((await fill(anyone())).statusCode).toBe(303);
    }
    const email = anyone();
    const refused = await fill(email);
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([429, '3600']);
    expect(refused.body).toContain('Too many requests');
    expect(refused.body).toContain(`value="${email}"`);
    expect(await readRows(email)).toEqual([]);
    now += 3_600_000;
    expect((await fill(email)).statusCode).toBe(303);
  });

  test('share one limit with newsletter requests by JavaScript, which have no captcha either', async () => {
    const subscribe = (email: string) =>
      app.inject({
        method: 'POST',
        url: '/subscriptions',
        remoteAddress: `10.0.0.${address}`,
        headers: { appid: 'site-app' },
        payload: newsletterEntry(email),
      });
    const statuses: number[] = [];
    for (let count = 0; count < config.postLimits.formPostsPerHour; count++)
      statuses.push((await subscribe(anyone())).statusCode);
    expect(new Set(statuses)).toEqual(new Set([201]));
    const email = anyone();
    expect((await subscribe(email)).statusCode).toBe(429);
    expect(await readRows(email)).toEqual([]);
    expect((await post({ source_id: formSources.newsletter, email })).statusCode).toBe(429);
  });

  test('with an unknown form, or too large, get a page too', async () => {
    const unknown = await post({ source_id: 'x', email: anyone() });
    expect([unknown.statusCode, unknown.headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
    const large = await post({ source_id: formSources.referral, message: 'x'.repeat(70_000) });
    expect([large.statusCode, large.headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
    for (const { body, headers } of [unknown, large])
      expect(body).toContain(`Request ID: ${String(headers['x-request-id'])}`);
  });
});
