import { createFetchLiveSite } from '@site/forms/submissions/fetch-live-site';
import { formContracts, type AcceptedForms, type FormDeclaration, type LiveForm } from '@site/contract';
import { sql } from 'kysely';
import { forEachTest } from '@site/server/testing/for-each-test';
import { fullBrand } from '../testing/brand.ts';
import { createHarness, siteConfig, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { DAY_MS } from '@site/server/durations';

const registry = forEachTest(createHarness);

const makeForm = (app: string, title = 'Apply'): FormDeclaration => ({
  id: `${app}/apply`,
  place: `/${app.replace('mfe-', '')}#apply`,
  title,
  button: 'Send',
  thanks: { title: 'We have it', text: 'We answer.' },
  tell: 'people',
  keepDays: 180,
  fields: [
    { kind: 'email', name: 'email', label: 'Email' },
    { kind: 'line', name: 'a_name', label: 'Name', missing: 'Enter your name.' },
  ],
});
const partners = (contents: number, ...declaredForms: FormDeclaration[]) => ({
  ...remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents }),
  ...(declaredForms.length === 0 ? {} : { declaredForms }),
});

const accepting = (accepted: AcceptedForms | null) =>
  registry.setFormsService(() => Promise.resolve(accepted));
const takesForms = { forms: formContracts, kinds: ['email', 'line'] };

/** Title of each form → until when it is accepted; null: it is live. */
async function taken(days = 7) {
  const { body } = await registry.send<{ forms: LiveForm[] }>(
    'GET',
    `/v1/channels/production/declared-forms?days=${days}`,
    { as: 'read' },
  );
  return Object.fromEntries(body.forms.map(({ form, until }) => [(form as FormDeclaration).title, until]));
}
const later = (days: number) =>
  void (registry.clock.now = new Date(registry.clock.now.getTime() + days * DAY_MS));

async function goLive(contents: number, ...forms: FormDeclaration[]) {
  const next = partners(contents, ...forms);
  expect((await registry.publish(next)).status).toBe(201);
  expect((await registry.activate({ 'mfe-partners': next.version })).status).toBe(201);
  return next;
}

function everyPageShows(form: string) {
  const { compose } = registry.composer;
  registry.composer.compose = async (request) =>
    (await compose(request)).map(({ page, ...composed }) => ({
      ...composed,
      page: {
        ...page,
        html: `${page.html}<input type="hidden" name="source_id" value="${form}"/>`,
      },
    }));
}

test('rejects a version whose page shows an undeclared form, because its submissions would be lost', async () => {
  await registry.startSite();
  accepting(takesForms);
  everyPageShows('mfe-partners/apply');
  const forgotten = await registry.publish(partners(2));
  expect([forgotten.status, forgotten.body.errors]).toMatchObject([
    409,
    [
      {
        code: 'forms_unmet',
        detail: expect.stringMatching(/shows the form "mfe-partners\/apply".* Add it there/) as string,
      },
    ],
  ]);
  expect((await registry.publish(partners(3, makeForm('mfe-partners')))).status).toBe(201);
});

test('at the latest on preview or activation, if nothing was rendered when it was published', async () => {
  await registry.startSite();
  accepting(takesForms);
  everyPageShows('mfe-partners/apply');
  const { version } = partners(2);
  expect((await registry.publish(partners(2), { query: '?live-checks=defer' })).status).toBe(201);
  const body = { app: 'mfe-partners', version };
  const answers = [
    // Renders what is missing, although it changes nothing.
    await registry.publish(partners(2), { query: '?dry-run=true' }),
    await registry.send('POST', '/v1/previews', { body }),
    await registry.activate({ 'mfe-partners': version }),
  ];
  expect(answers.map((answer) => answer.body.errors[0]?.code)).toEqual(Array(3).fill('forms_unmet'));
  // Live versions are exempt.
  const blocks = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
  await registry.publish(blocks);
  expect((await registry.activate({ 'mfe-blocks': blocks.version })).status).toBe(201);
});

test("a form is accepted from its version's activation until some days after its replacement, in field order", async () => {
  await registry.startSite();
  accepting(takesForms);
  const first = partners(2, makeForm('mfe-partners', 'first'));
  await registry.publish(first);
  expect(await taken()).toEqual({});
  await registry.activate({ 'mfe-partners': first.version });
  const { body } = await registry.send<{ forms: LiveForm[] }>(
    'GET',
    '/v1/channels/production/declared-forms',
  );
  expect(body.forms).toEqual([
    { app: 'mfe-partners', version: first.version, until: null, form: makeForm('mfe-partners', 'first') },
  ]);

  later(30);
  await goLive(3, makeForm('mfe-partners', 'second'));
  const until = new Date(registry.clock.now.getTime() + 7 * DAY_MS).toISOString();
  expect(await taken()).toEqual({ second: null, first: until });
  later(6.9);
  expect(await taken()).toEqual({ second: null, first: until });
  later(0.2);
  expect(await taken()).toEqual({ second: null });
});

test("a rolled-back version's forms are accepted for some days, the restored version's without an end", async () => {
  await registry.startSite();
  accepting(takesForms);
  const first = await goLive(2, makeForm('mfe-partners', 'first'));
  const bad = await goLive(3, makeForm('mfe-partners', 'bad'));
  expect(
    (await registry.rollBack({ app: 'mfe-partners', from: bad.version, to: first.version })).status,
  ).toBe(201);
  expect(await taken()).toEqual({ first: null, bad: expect.any(String) as string });
  later(8);
  expect(await taken()).toEqual({ first: null });
});

test("a canary's form is accepted while it runs and for some days after an abort; so is the form of a left-out app", async () => {
  await registry.startSite();
  accepting(takesForms);
  await goLive(2, makeForm('mfe-partners', 'first'));
  const next = partners(3, makeForm('mfe-partners', 'canary'));
  await registry.publish(next);
  await registry.activate({ 'mfe-partners': next.version }, { share: 10 });
  expect(await taken()).toEqual({ first: null, canary: null });
  await registry.send('POST', '/v1/channels/production/aborts', { body: { reason: 'no' } });
  expect(await taken()).toEqual({ first: null, canary: expect.any(String) as string });
  await registry.activate({}, { without: ['mfe-partners'] });
  expect(await taken()).toEqual({
    first: expect.any(String) as string,
    canary: expect.any(String) as string,
  });
  later(8);
  expect(await taken()).toEqual({});
});

test('a form declared by many versions is listed once, until the last of them ends; at most ten per app', async () => {
  await registry.startSite();
  accepting(takesForms);
  await goLive(2, makeForm('mfe-partners', 'first'));
  await goLive(3, makeForm('mfe-partners', 'first'));
  await goLive(4, makeForm('mfe-partners', 'second'));
  const { body } = await registry.send<{ forms: LiveForm[] }>(
    'GET',
    '/v1/channels/production/declared-forms',
  );
  expect(body.forms.map(({ version, until }) => [version, until === null])).toEqual([
    [partners(4).version, true],
    [partners(3).version, false],
  ]);
  for (let contents = 5; contents < 17; contents += 1) {
    later(0.01);
    await goLive(contents, makeForm('mfe-partners', `form ${contents}`));
  }
  expect(Object.keys(await taken())).toEqual(
    [16, 15, 14, 13, 12, 11, 10, 9, 8, 7].map((contents) => `form ${contents}`),
  );
});

test("the brand is the live release's, not the canary's, and empty without a live release", async () => {
  const readBrand = async (channel: string) =>
    (await registry.send<{ brand?: object }>('GET', `/v1/channels/${channel}/declared-forms`)).body.brand;
  await registry.startSite();
  expect(await readBrand('production')).toBeUndefined();
  await registry.activate({}, { config: { ...siteConfig, brand: fullBrand } });
  expect(await readBrand('production')).toEqual(fullBrand);
  expect(await readBrand('staging')).toBeUndefined();
  const next = partners(2);
  await registry.publish(next);
  const config = { ...siteConfig, brand: { ...fullBrand, name: 'Acme tried' } };
  expect((await registry.activate({}, { config, share: 10 })).status).toBe(201);
  expect(await readBrand('production')).toEqual(fullBrand);
});

test('other channels do not show it', async () => {
  await registry.startSite();
  accepting(takesForms);
  await goLive(2, makeForm('mfe-partners'));
  const { body } = await registry.send<{ forms: LiveForm[] }>('GET', '/v1/channels/staging/declared-forms');
  expect(body.forms).toEqual([]);
});

test("an app cannot declare another app's form, or a form on another app's page", async () => {
  await registry.startSite();
  accepting(takesForms);
  for (const [form, says] of [
    [
      makeForm('mfe-blocks'),
      /declare "mfe-blocks\/apply", which is a form of mfe-blocks, not of mfe-partners/,
    ],
    [{ ...makeForm('mfe-partners'), place: '/blocks' }, /on \/blocks, which is not a page of mfe-partners/],
  ] as const) {
    const { status, body } = await registry.publish(partners(2, form));
    expect([status, body.errors[0]?.code, body.errors[0]?.detail]).toEqual([
      422,
      'manifest_malformed',
      expect.stringMatching(says),
    ]);
  }
});

test.each<[string, (form: FormDeclaration) => unknown]>([
  [
    'a field __proto__',
    (form) => [{ ...form, fields: [...form.fields, { kind: 'phone', name: '__proto__' }] }],
  ],
  ['a pattern', (form) => [{ ...form, fields: [{ ...form.fields[0], pattern: '(a+)+$' }] }]],
  ['ten thousand fields', (form) => [{ ...form, fields: Array(10_000).fill(form.fields[0]) }]],
  ['a thousand forms', (form) => Array.from({ length: 1_000 }, () => form)],
  ['an object in place of a list', (form) => ({ 0: form, length: 1 })],
])('a manifest with %s is rejected', async (_what, declare) => {
  await registry.startSite();
  const body = { ...partners(2), declaredForms: declare(makeForm('mfe-partners')) };
  const { status, body: answer } = await registry.send('POST', '/v1/versions', { body });
  expect([status, answer.errors[0]?.code]).toEqual([422, 'body_invalid']);
});

test.each<[string, AcceptedForms | null, string, RegExp]>([
  [
    'takes no forms of remotes',
    { forms: formContracts },
    'forms_unmet',
    /it does not accept forms of remotes/,
  ],
  [
    'does not know a kind of field',
    { forms: formContracts, kinds: ['email'] },
    'forms_unmet',
    /does not know the kind "line" of the field "a_name" of the form "mfe-partners\/apply"/,
  ],
  ['is away', null, 'forms_unknown', /does not say/],
])(
  'a version whose forms cannot be sent is not activated: the forms service %s',
  async (_what, accepted, code, says) => {
    await registry.startSite();
    accepting(accepted);
    const next = partners(2, makeForm('mfe-partners'));
    const published = await registry.publish(next, { query: '?live-checks=defer' });
    expect(published.status).toBe(201);
    const { body } = await registry.activate({ 'mfe-partners': next.version });
    expect([body.errors[0]?.code, body.errors[0]?.detail]).toEqual([code, expect.stringMatching(says)]);
  },
);

/** Nearly as large as the forms of a version may be. */
function largeForm(title: string): FormDeclaration {
  const form = makeForm('mfe-partners', title);
  const options = Array.from({ length: 200 }, (_, option) => ({
    value: `v${option}`,
    label: 'x'.repeat(190),
  }));
  return {
    ...form,
    fields: [...form.fields, { kind: 'radio', name: 'choice', label: 'Choice', missing: 'Choose.', options }],
  };
}

test('a thousand activations with large forms leave the forms service served, from forms that are derived once', async () => {
  await registry.startSite();
  accepting({ forms: formContracts, kinds: ['email', 'line', 'radio'] });
  const first = await goLive(2, largeForm('A'));
  const second = await goLive(3, largeForm('B'));
  const db = registryTables(registry);
  await sql`
    with made as (
      insert into registry.releases
        (number, channel, kind, as_canary, left_out, retired, config, config_digest, by, reason, at, parent)
      select live + step, channel, kind, false, left_out, retired, config, config_digest, by, reason, releases.at,
        live + step - 1
      from registry.channels
      join registry.releases on number = live, generate_series(1, 1000) as step
      where name = 'production' returning number
    ), changed as (
      insert into registry.app_changes (channel, app, release) select 'production', 'mfe-partners', number from made
    )
    insert into registry.release_apps (release, channel, app, version, last_good)
    select made.number, channel, app,
      case when app <> 'mfe-partners' then version when made.number % 2 = 0 then ${first.version}
        else ${second.version} end, last_good
    from made, registry.release_apps where release = (select live from registry.channels where name = 'production')
  `.execute(db);
  await sql`update registry.channels set live = live + 1000 where name = 'production'`.execute(db);
  await sql`update registry.release_head set number = number + 1000`.execute(db);

  const url = await registry.listen();
  const live = createFetchLiveSite({ url, token: registry.tokens.read, channel: 'production', days: 7 });
  const titles = async () => (await live()).forms.map(({ form }) => (form as FormDeclaration).title);
  expect((await titles()).sort()).toEqual(['A', 'B']);
  // The stored forms are read, until a release is made.
  await sql`update registry.versions set declared_forms = null where version = ${first.version}`.execute(db);
  expect((await titles()).sort()).toEqual(['A', 'B']);
  await goLive(4, largeForm('C'));
  expect((await titles()).sort()).toEqual(['B', 'C']);
});
