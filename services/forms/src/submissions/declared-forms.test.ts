import { randomUUID } from 'node:crypto';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { FormDeclaration, LiveForm } from '@site/contract';
import { readData, readErrors } from '@site/server/testing/answers';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { watchedLog } from '@site/server/testing/interval-clock';
import type { FastifyInstance } from 'fastify';
import { createApp } from '../app.ts';
import { createParts } from '../parts.ts';
import { createFindBrand } from '../kernel/brand.ts';
import { formsDefaults } from '../config.ts';
import { DAY_MS } from '@site/server/durations';
import { formsMigrations } from '../migrations.ts';
import { NOTICE_PAUSE_MS, startNotices } from '../outbox/notices.ts';
import { startRetention } from '../retention.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { easyCaptcha, solveCaptcha } from '../testing/solve-captcha.ts';
import { startSmtp, unfolded } from '../testing/start-smtp.ts';
import { createFetchLiveSite } from './fetch-live-site.ts';
import { createDeclaredForms } from './declared-forms.ts';

const site = 'https://site.example';
const adminToken = `site_${'a'.repeat(43)}`;
const config = {
  ...formsDefaults,
  jwksUrl: 'http://127.0.0.1:1/jwks.json',
  appIds: ['site-app'],
  origins: [site],
  adminToken,
  rateLimit: { perAddress: 0, perGuest: 0 },
  captcha: easyCaptcha,
  postLimits: { formPostsPerHour: 0, referralsPerDay: 0 },
  publicUrl: 'https://forms.example/',
};

const applyForm: FormDeclaration = {
  id: 'mfe-careers/apply',
  place: '/careers#apply',
  title: 'Apply <here>',
  button: 'Send it',
  thanks: { title: 'We have it', text: 'We answer within a week.' },
  tell: 'people',
  keepDays: 100,
  fields: [
    { kind: 'email', name: 'email', label: 'Email' },
    { kind: 'line', name: 'full_name', label: 'Name', missing: 'Enter your name.' },
    // Only referrals send invitations, whatever a field is called.
    { kind: 'line', name: 'to_emails', label: 'To', optional: true },
    {
      kind: 'choice',
      name: 'role',
      label: 'Role',
      missing: 'Choose a role.',
      placeholder: 'Choose one',
      options: [
        { value: 'engineer', label: 'Engineer' },
        { value: 'artist', label: 'Artist' },
      ],
    },
  ],
};
/** With one more required field and one less. */
const changedForm: FormDeclaration = {
  ...applyForm,
  fields: [
    ...applyForm.fields.filter(({ name }) => name !== 'full_name'),
    { kind: 'line', name: 'given_name', label: 'Given name', missing: 'Enter your given name.' },
  ],
};
const live = (form: unknown = applyForm, until: number | null = null, app = 'mfe-careers'): LiveForm => ({
  app,
  version: '1.0.0-000000000001',
  until: until === null ? null : new Date(until).toISOString(),
  form,
});
const filledIn = { full_name: 'Ada', role: 'engineer' };

describe('forms declared by remotes', () => {
  let shared: TestDatabase;
  let app: FastifyInstance;
  let now = Date.parse('2026-03-01T12:00:00Z');
  let answer: (() => LiveForm[]) | null = null;
  let asked = 0;
  const apps: FastifyInstance[] = [];

  const db = () => shared.database.schema<FormsTables>('forms');
  async function start(): Promise<FastifyInstance> {
    const started = await createApp(
      createParts(config, {
        database: shared.database,
        now: () => now,
        fetchLiveSite: () => {
          asked += 1;
          return answer ? Promise.resolve({ forms: answer() }) : Promise.reject(new Error('away'));
        },
      }),
    );
    apps.push(started);
    return started;
  }
  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('forms', formsMigrations);
  });
  afterAll(() => shared.stop());
  beforeEach(async () => {
    now += 30 * DAY_MS;
    for (const table of ['declared_forms', 'notices', 'subscriptions'] as const)
      await db().deleteFrom(table).execute();
    answer = () => [live()];
    app = await start();
  });
  afterEach(async () => {
    await Promise.all(apps.splice(0).map((each) => each.close()));
  });

  const body = async (fields: object, more: object = {}) => ({
    email: 'ada@example.com',
    source_id: 'mfe-careers/apply',
    form_fields: JSON.stringify({ ...fields, captcha: await solveCaptcha(app, 'site-app') }),
    visitor_unique_id: '',
    visitor_type: 'guest',
    ...more,
  });
  const send = async (
    fields: object = filledIn,
    { key = randomUUID(), ...more }: Record<string, string> = {},
  ) =>
    app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: { appid: 'site-app', 'idempotency-key': key },
      payload: await body(fields, more),
    });
  const post = (fields: Record<string, string>, origin = site) =>
    app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: { origin, 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({
        source_id: 'mfe-careers/apply',
        email: 'ada@example.com',
        to_emails: '',
        reference_note: '',
        ...fields,
      }).toString(),
    });
  const rows = () => db().selectFrom('subscriptions').selectAll().orderBy('created_at').execute();
  const list = (query: Record<string, string>, token = adminToken) =>
    app.inject({
      url: `/admin/submissions?${new URLSearchParams(query).toString()}`,
      headers: { authorization: `Bearer ${token}` },
    });
  const errorCode = (response: { statusCode: number }) => [
    response.statusCode,
    readErrors(response as never)[0]?.code,
  ];

  test("are stored once with their fields, with a captcha, and removed after the form's retention", async () => {
    const key = randomUUID();
    const fields = { ...filledIn, to_emails: 'bob@example.com' };
    expect((await send(fields, { key })).statusCode).toBe(201);
    expect((await send(fields, { key })).statusCode).toBe(200);
    const [row, ...more] = await rows();
    expect(more).toEqual([]);
    expect(row).toMatchObject({
      source_id: 'mfe-careers/apply',
      form_fields: JSON.stringify({ full_name: 'Ada', to_emails: 'bob@example.com', role: 'engineer' }),
      verified_by: 'captcha',
      remove_at: new Date(now + 100 * DAY_MS),
    });
    expect(await db().selectFrom('emails').selectAll().execute()).toEqual([]);
    for (const [days, left] of [
      [99, 1],
      [101, 0],
    ] as const) {
      const log = watchedLog();
      await startRetention({
        db: db(),
        retention: config.identityRetention,
        log,
        now: () => now + days * DAY_MS,
      })();
      expect(await rows()).toHaveLength(left);
    }
  });

  test('are rejected by their rules, field by field, and without a captcha', async () => {
    const refused = await send({ role: 'pirate', nickname: 'x' });
    expect(readErrors(refused).map(({ source }) => source)).toEqual(
      expect.arrayContaining([
        { pointer: '/form_fields/full_name' },
        { pointer: '/form_fields/role' },
        { pointer: '/form_fields/nickname' },
      ]),
    );
    const again = await app.inject({
      method: 'POST',
      url: '/subscriptions',
      headers: { appid: 'site-app' },
      payload: { ...(await body(filledIn)), form_fields: JSON.stringify(filledIn) },
    });
    expect(errorCode(again)).toEqual([403, 'captcha_invalid']);
    expect(await rows()).toEqual([]);
  });

  test('work without JavaScript: invalid posts return with their values, valid ones get a confirmation', async () => {
    const wrong = await post({ full_name: '', role: 'artist' });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.body).toContain('Enter your name.');
    expect(wrong.body).toContain('aria-label="Apply &lt;here&gt;"');
    expect(wrong.body).toContain('value="mfe-careers/apply"');
    expect(wrong.body).toMatch(/<option value="artist" selected/);
    expect(wrong.body).toContain(`href="${site}/careers#apply"`);

    const right = await post({ full_name: 'Ada', role: 'artist' });
    expect(right.statusCode).toBe(303);
    const page = await app.inject(`/${String(right.headers.location)}`);
    expect(page.body).toContain('We answer within a week.');
    expect(page.body).toContain(`href="${site}/careers#apply"`);
    expect((await rows()).map(({ verified_by }) => verified_by)).toEqual(['rate_limit']);
    expect((await post({ full_name: 'Ada', role: 'artist' }, 'https://evil.example')).statusCode).toBe(403);
  });

  test('of an open tab are accepted after another version is live, until they expire', async () => {
    answer = () => [live(changedForm), live(applyForm, now + DAY_MS)];
    now += 10_000;
    expect((await send(filledIn)).statusCode).toBe(201);
    expect((await send({ given_name: 'Ada', role: 'artist' })).statusCode).toBe(201);
    expect((await post({ full_name: 'Ada', role: 'artist' })).statusCode).toBe(303);
    // Visitors with the old form get its errors.
    const wrong = await send({ full_name: '', role: 'artist' });
    expect(readErrors(wrong).map(({ source }) => source)).toEqual([{ pointer: '/form_fields/full_name' }]);
    expect((await post({ full_name: '', role: 'artist' })).body).toContain('Enter your name.');

    // The registry need not repeat it.
    answer = null;
    now += DAY_MS;
    expect(errorCode(await send(filledIn))).toEqual([422, 'body_invalid']);
    expect((await send({ given_name: 'Eve', role: 'artist' })).statusCode).toBe(201);
    answer = () => [live(applyForm, now - 1)];
    now += 10_000;
    expect(errorCode(await send(filledIn))).toEqual([422, 'source_unknown']);
    expect((await post(filledIn)).statusCode).toBe(422);
  });

  test('are accepted as soon as they are live, without a request for each', async () => {
    // The initial requests have finished.
    expect((await send()).statusCode).toBe(201);
    answer = () => [];
    now += 10_000;
    expect(errorCode(await send())).toEqual([422, 'source_unknown']);
    answer = () => [live()];
    now += 2_000;
    asked = 0;
    for (let times = 0; times < 10; times += 1) expect((await send()).statusCode).toBe(201);
    // The service also refreshes every five seconds.
    expect(asked).toBeLessThan(4);
  });

  test('are rejected only by forms fetched after they arrived, because a version may just have become live', async () => {
    expect((await send()).statusCode).toBe(201);
    answer = () => [live(changedForm), live(applyForm, now + DAY_MS)];
    expect((await send({ given_name: 'Ada', role: 'artist' })).statusCode).toBe(201);
    const newer = { ...changedForm, title: 'Apply again', id: 'mfe-careers/again' };
    answer = () => [live(newer)];
    const fields = { source_id: newer.id, given_name: 'Ada', role: 'artist' };
    expect((await post(fields)).statusCode).toBe(303);

    const wrong = async (times: number) => {
      for (let time = 0; time < times; time += 1)
        expect((await post({ ...fields, role: 'pirate' })).statusCode).toBe(422);
    };
    // One request serves all submissions that arrived before it, at most four a second.
    const begun = performance.now();
    asked = 0;
    await Promise.all(Array.from({ length: 20 }, () => wrong(1)));
    await wrong(5);
    expect(asked).toBeLessThanOrEqual(3 + (performance.now() - begun) / 250);
  });

  test('are not rejected by a response to an earlier request', async () => {
    const site: LiveForm[][] = [[live()], [live(changedForm), live(applyForm, now + DAY_MS)]];
    let say!: () => void;
    const held = new Promise<void>((resolve) => (say = resolve));
    let begin!: () => void;
    const begun = new Promise<void>((resolve) => (begin = resolve));
    const forms = createDeclaredForms({
      db: db(),
      fetchLiveSite: async () => {
        const said = site.shift() ?? [];
        begin();
        await held;
        return { forms: said };
      },
      now: () => now,
      log: app.log,
    });
    const first = forms.find('mfe-careers/apply', () => true);
    await begun;
    // A slow request; the next submission arrives while it is pending.
    now += 3_000;
    const second = forms.find(changedForm.id, ({ definition }) => 'given_name' in definition.fields);
    say();
    expect(await first).toHaveLength(1);
    expect(await second).toHaveLength(2);
  });

  test('are fetched again after a failed request', async () => {
    answer = null;
    expect(errorCode(await send({ nobody: 'knows' }))).toEqual([422, 'source_unknown']);
    answer = () => [live()];
    expect((await post({ ...filledIn })).statusCode).toBe(303);
  });

  test('are accepted while the registry is unreachable, also after a restart', async () => {
    expect((await send()).statusCode).toBe(201);
    answer = null;
    now += 10_000;
    app = await start();
    expect((await send()).statusCode).toBe(201);
    expect((await post({ ...filledIn })).statusCode).toBe(303);
  });

  test('are fetched again if the stored ones cannot be read', async () => {
    expect((await send()).statusCode).toBe(201);
    await db().updateTable('declared_forms').set({ forms: '[{"of": "another version"}]' }).execute();
    app = await start();
    expect((await send()).statusCode).toBe(201);
    const [kept] = await db().selectFrom('declared_forms').selectAll().execute();
    expect(kept?.forms).toContain('mfe-careers/apply');
  });

  test('that are invalid, of another app, or not forms are ignored; the others are accepted', async () => {
    answer = () => [
      live({ ...applyForm, id: 'mfe-blocks/apply' }),
      live({ ...applyForm, id: 'mfe-careers/ask', fields: [{ kind: 'telepathy', name: 'a', label: 'A' }] }),
      live({ ...applyForm, id: 'newsletter' }),
      live(),
    ];
    now += 10_000;
    for (const id of [
      'mfe-blocks/apply',
      'mfe-careers/ask',
      '__proto__',
      'constructor',
      'mfe-careers/__proto__',
    ])
      expect([id, ...errorCode(await send(filledIn, { source_id: id }))]).toEqual([
        id,
        422,
        'source_unknown',
      ]);
    expect((await send()).statusCode).toBe(201);
  });

  test('are listed by form for operators, newest first and page by page, exported and erased with the visitor', async () => {
    for (const name of ['Ada', 'Bob', 'Eve']) {
      now += 1_000;
      await send({ ...filledIn, full_name: name }, { email: `${name.toLowerCase()}@example.com` });
    }
    const ofForm = { 'filter[form]': 'mfe-careers/apply' };
    const first = await list({ ...ofForm, 'page[size]': '2' });
    type Listed = {
      data: { attributes: { fields: { full_name: string } } }[];
      meta: { before: string | null };
    };
    const names = ({ data }: Listed) => data.map(({ attributes }) => attributes.fields.full_name);
    const { before } = first.json<Listed>().meta;
    expect(names(first.json())).toEqual(['Eve', 'Bob']);
    const second = await list({ ...ofForm, 'page[size]': '2', 'page[before]': before ?? '' });
    expect([names(second.json()), second.json<Listed>().meta.before]).toEqual([['Ada'], null]);
    expect(errorCode(await list(ofForm, `site_${'b'.repeat(43)}`))).toEqual([401, 'admin_token_invalid']);
    expect(errorCode(await list({ 'page[size]': '2' }))).toEqual([400, 'request_malformed']);
    expect(errorCode(await list({ ...ofForm, 'page[before]': '1~x' }))).toEqual([400, 'request_malformed']);
    expect(errorCode(await list({ form: 'newsletter' }))).toEqual([400, 'query_unsupported']);
    expect((await list({ 'filter[form]': 'newsletter' })).json<Listed>().data).toEqual([]);

    const of = (method: 'GET' | 'DELETE') =>
      app.inject({
        method,
        url: '/admin/visitors/ada@example.com',
        headers: { authorization: `Bearer ${adminToken}` },
      });
    expect(JSON.stringify(readData(await of('GET')))).toContain('mfe-careers/apply');
    expect((await of('DELETE')).statusCode).toBe(200);
    expect((await rows()).map(({ email }) => email)).toEqual(['bob@example.com', 'eve@example.com']);
  });

  test('notify their team by email, many submissions at a time, without their contents', async () => {
    const smtp = await startSmtp();
    const mail = { smtpUrl: smtp.url, from: 'hello@site.example' };
    const findBrand = createFindBrand(db(), { hasRegistry: true, from: mail.from });
    const log = { info: () => undefined, warn: () => undefined, error: () => undefined };
    const look = (recipients: Record<string, string>) =>
      startNotices({ db: db(), mail, findBrand, recipients, log, now: () => now })();
    for (const name of ['Ada', 'Bob']) await send({ ...filledIn, full_name: name });
    await send({ ...filledIn, reference_note: 'spam' });
    // The team has no address yet.
    await look({ sales: 'sales@example.com' });
    expect(smtp.mails).toEqual([]);
    smtp.refuse = () => 451;
    await look({ people: 'jobs@example.com' });
    smtp.refuse = () => null;
    await look({ people: 'jobs@example.com' });
    expect(smtp.mails).toEqual([]);
    now += NOTICE_PAUSE_MS;
    await look({ people: 'jobs@example.com' });
    await look({ people: 'jobs@example.com' });
    expect(smtp.mails.map(({ to }) => to)).toEqual([['jobs@example.com']]);
    const text = unfolded(smtp.mails[0]?.text ?? '');
    expect(text).toContain('You have 2 new submissions of the form "Apply <here>" (mfe-careers/apply).');
    expect(text).not.toMatch(/Ada|Bob|ada@example/);
    await smtp.close();
  });

  test('are announced, with their kinds of fields, only if a registry is configured', async () => {
    const readKinds = async (service: FastifyInstance) =>
      (readData(await service.inject('/form-contract')).attributes as { kinds?: string[] }).kinds;
    expect(await readKinds(app)).toContain('choice');
    const alone = await createApp(createParts(config, { database: shared.database }));
    apps.push(alone);
    expect(await readKinds(alone)).toBeUndefined();
  });
});

test('are read only from a valid response of a registry', async () => {
  const answers: Record<string, [number, string]> = {
    '/good/v1/channels/production/declared-forms?days=7': [200, JSON.stringify({ forms: [live()] })],
    // A newer registry, which returns more fields.
    '/branded/v1/channels/production/declared-forms?days=7': [
      200,
      JSON.stringify({ forms: [], brand: { name: 'Acme', motto: 'All of it' }, more: 1 }),
    ],
    '/error/v1/channels/production/declared-forms?days=7': [500, '{"forms":[]}'],
    '/other/v1/channels/production/declared-forms?days=7': [200, '{"forms":{}}'],
    '/flood/v1/channels/production/declared-forms?days=7': [200, 'x'.repeat(9_000_000)],
  };
  const seen: unknown[] = [];
  const server = createServer((request, response) => {
    seen.push(request.headers.authorization);
    const [status, text] = answers[request.url ?? ''] ?? [404, ''];
    response.writeHead(status).end(text);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const base = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const ask = (path: string) =>
    createFetchLiveSite({ url: `${base}/${path}`, token: 'site_x', channel: 'production', days: 7 })();
  try {
    expect(await ask('good')).toEqual({ forms: [live()] });
    expect(await ask('branded')).toEqual({ forms: [], brand: { name: 'Acme' } });
    expect(seen).toEqual(['Bearer site_x', 'Bearer site_x']);
    for (const [path, why] of [
      ['error', / answered 500\.$/],
      ['other', /Invalid type/],
      ['flood', / answered with more than \d+ bytes\.$/],
      ['none', / answered 404\.$/],
    ] as const)
      await expect(ask(path)).rejects.toThrow(why);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
