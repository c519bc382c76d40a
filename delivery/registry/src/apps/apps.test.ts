import type { OwnedAnswer } from '@site/contract/registry-calls/app.calls';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, registryTables } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

type Failed = { errors: { code: string; detail: string; source?: object }[] };
type Owned = { apps: { app: string; owner: string; paths: string[]; live: string | null }[] };

const careers = (paths: string[], contents = 1) => remoteManifest('mfe-careers', { paths, contents });
const asked = { app: 'mfe-careers', owner: 'people', paths: ['/careers/*'] };

describe('app ownership and paths', () => {
  const registry = forEachTest(createHarness);

  const create = (body: object = asked, sent: object = {}) =>
    registry.send<OwnedAnswer & Failed>('POST', '/v1/apps', { body, ...sent });
  const change = (app: string, body: object, sent: object = {}) =>
    registry.send<OwnedAnswer & Failed>('POST', `/v1/apps/${app}/changes`, {
      body: { reason: 'a test', ...body },
      ...sent,
    });
  const refusal = ({ status, body }: { status: number; body: Failed }) => [status, body.errors[0]?.code];
  const detail = ({ body }: { body: Failed }) => body.errors[0]?.detail;
  const owned = async () => (await registry.send<Owned>('GET', '/v1/channels/production/apps')).body.apps;
  const of = async (app: string) => (await owned()).find((one) => one.app === app);
  const lastEntry = async () =>
    registryTables(registry)
      .selectFrom('audit_events')
      .select(['action', 'subject', 'details'])
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirstOrThrow();
  async function teamToken(app: string) {
    const made = await registry.send<{ token: string }>('POST', '/v1/tokens', {
      body: { name: `ci ${app}`, scopes: [`publish:${app}`, `activate:${app}`] },
    });
    return { headers: { authorization: `Bearer ${made.body.token}` } };
  }

  test('ops register an app; it is listed before it has a version, and audited', async () => {
    const made = await create();
    expect([made.status, made.body]).toEqual([201, { ...asked, changed: true }]);
    expect(await owned()).toEqual([{ ...asked, live: null, retired: null, newest: null }]);
    expect(await lastEntry()).toEqual({
      action: 'app.created',
      subject: 'mfe-careers',
      details: { owner: 'people', paths: ['/careers/*'] },
    });
    // Repeating it is not an error and creates no other app.
    expect((await create()).body).toEqual({ ...asked, changed: false });
    const other = await create({ ...asked, owner: 'growth' });
    expect(refusal(other)).toEqual([409, 'app_exists']);
    expect(detail(other)).toMatch(
      /^mfe-careers is registered already: owner people, paths \/careers\/\*\. Choose another name/,
    );
  });

  test('only ops register and change apps', async () => {
    const token = await teamToken('mfe-careers');
    expect(refusal(await create(asked, token))).toEqual([403, 'scope_missing']);
    await create();
    expect(refusal(await change('mfe-careers', { owner: 'growth' }, token))).toEqual([403, 'scope_missing']);
  });

  test('a dry run registers nothing', async () => {
    expect((await create({ ...asked, dryRun: true })).body).toEqual({
      ...asked,
      changed: true,
      dryRun: true,
    });
    expect(await owned()).toEqual([]);
  });

  test('paths of other apps are rejected with their owner', async () => {
    await create();
    for (const paths of [['/careers/jobs'], ['/careers'], ['/new', '/careers/*']]) {
      const refused = await create({ app: 'mfe-jobs', owner: 'jobs', paths });
      expect(refusal(refused)).toEqual([409, 'path_reserved']);
      expect(detail(refused)).toMatch(
        /^mfe-jobs wants "\/careers.*", which is reserved for mfe-careers of the team people \("\/careers\/\*"\)\./,
      );
    }
    await create({ app: 'mfe-jobs', owner: 'jobs', paths: ['/jobs'] });
    expect(refusal(await change('mfe-jobs', { paths: ['/jobs', '/careers/x'] }))).toEqual([
      409,
      'path_reserved',
    ]);
    expect(refusal(await create({ app: 'mfe-none', owner: 'none', paths: [] }))).toEqual([
      422,
      'body_invalid',
    ]);
  });

  test('a team publishes within its reserved paths, and gets instructions for other paths', async () => {
    const token = await teamToken('mfe-careers');
    const unknown = await registry.publish(careers(['/careers', '/jobs']), token);
    expect(refusal(unknown)).toEqual([409, 'app_unregistered']);
    expect(detail(unknown)).toMatch(
      /^mfe-careers is not registered\. Ask ops for: npx @site\/cli app create mfe-careers --owner careers --paths \/careers \/jobs\./,
    );

    await create();
    const outside = await registry.publish(careers(['/careers', '/jobs']), token);
    expect(refusal(outside)).toEqual([409, 'path_reserved']);
    expect(detail(outside)).toMatch(
      /^mfe-careers claims "\/jobs", but only \/careers\/\* is reserved for it\. Use these, or ask ops for: npx @site\/cli app reserve mfe-careers --paths '\/careers\/\*' \/jobs --reason "…"\./,
    );
    const dry = await registry.publish(careers(['/jobs']), { ...token, query: '?dry-run=true' });
    expect(refusal(dry)).toEqual([409, 'path_reserved']);
    const redirects = [{ from: '/work-with-us', to: '/careers' }];
    const byRedirect = await registry.publish(
      remoteManifest('mfe-careers', { paths: ['/careers'], redirects, contents: 3 }),
      token,
    );
    expect(refusal(byRedirect)).toEqual([409, 'path_reserved']);

    await change('mfe-careers', { paths: ['/careers/*', '/jobs', '/work-with-us'] });
    expect((await registry.publish(careers(['/careers', '/careers/teams', '/jobs']), token)).status).toBe(
      201,
    );
    expect((await of('mfe-careers'))?.paths).toEqual(['/careers/*', '/jobs', '/work-with-us']);
  });

  test("a team's forms notify the team only, unless ops publish the version", async () => {
    const token = await teamToken('mfe-careers');
    await create();
    const withForm = (tell: string) => ({
      ...careers(['/careers'], 4),
      declaredForms: [
        {
          id: 'mfe-careers/apply',
          place: '/careers#apply',
          title: 'Apply',
          button: 'Send',
          thanks: { title: 'We have it', text: 'We answer.' },
          tell,
          keepDays: 180,
          fields: [{ kind: 'email' as const, name: 'email', label: 'Email' }],
        },
      ],
    });
    const refused = await registry.publish(withForm('legal'), token);
    expect(refusal(refused)).toEqual([403, 'form_recipient_foreign']);
    expect(detail(refused)).toContain('notifies the team "legal", but mfe-careers belongs to "people"');
    expect((await registry.publish(withForm('legal'))).status).toBe(201);
    expect((await registry.publish(withForm('people'), token)).status).not.toBe(403);
  });

  test('paths reserved for another app are rejected for everyone, before anything is live', async () => {
    await create();
    const jobs = remoteManifest('mfe-jobs', { paths: ['/jobs', '/careers/jobs'] });
    const refused = await registry.publish(jobs);
    expect(refusal(refused)).toEqual([409, 'path_reserved']);
    expect(detail(refused)).toMatch(
      /^mfe-jobs wants "\/careers\/jobs", which is reserved for mfe-careers of the team people/,
    );
    // Deferring live checks does not skip this check.
    expect(refusal(await registry.publish(jobs, { query: '?live-checks=defer' }))).toEqual([
      409,
      'path_reserved',
    ]);
  });

  test('ops reserve paths implicitly by publishing', async () => {
    const { status, body } = await registry.publish(careers(['/careers']));
    expect([status, body]).toMatchObject([201, { reserved: ['/careers'] }]);
    expect(await of('mfe-careers')).toMatchObject({ owner: 'careers', paths: ['/careers'] });
    expect((await lastEntry()).details).toMatchObject({ reserved: ['/careers'] });

    await registry.publish(careers(['/careers', '/jobs'], 2));
    expect((await of('mfe-careers'))?.paths).toEqual(['/careers', '/jobs']);
    const again = await registry.publish(careers(['/jobs'], 3));
    expect(again.body).not.toHaveProperty('reserved');
    expect((await of('mfe-careers'))?.paths).toEqual(['/careers', '/jobs']);

    const dry = await registry.publish(careers(['/more'], 4), { query: '?dry-run=true' });
    expect(dry.body).toMatchObject({ reserved: ['/more'] });
    expect((await of('mfe-careers'))?.paths).toEqual(['/careers', '/jobs']);
    expect((await registry.publish(shellManifest())).body).toMatchObject({ reserved: [] });
  });

  test('a transfer lists the tokens that stay valid, and keeps everything else', async () => {
    await create();
    await teamToken('mfe-careers');
    for (const app of ['mfe-careers', 'mfe-blocks']) {
      const trust = {
        app,
        issuer: 'https://issuer.example.com',
        subject: 'repo:acme/careers:*',
        audience: 'x',
      };
      expect((await registry.send('POST', '/v1/trusts', { body: trust })).status).toBe(201);
    }
    const { body } = await change('mfe-careers', { owner: 'growth', reason: 'a new team' });
    expect(body).toEqual({
      ...{ ...asked, owner: 'growth', changed: true, tokens: ['ci mfe-careers'] },
      trusts: [{ id: expect.any(String) as string, subject: 'repo:acme/careers:*' }],
    });
    expect(await lastEntry()).toMatchObject({
      action: 'app.changed',
      details: { from: { owner: 'people' }, owner: 'growth', reason: 'a new team' },
    });
    expect((await change('mfe-careers', { owner: 'growth' })).body.changed).toBe(false);
    expect(refusal(await change('mfe-nobody', { owner: 'growth' }))).toEqual([409, 'app_unregistered']);
  });

  test('a reassigned path cannot go live again with its previous app', async () => {
    await registry.startSite();
    const before = careers(['/careers', '/jobs']);
    await registry.publish(before);
    await change('mfe-careers', { paths: ['/careers'] });
    await create({ app: 'mfe-jobs', owner: 'jobs', paths: ['/jobs/*'] });
    const refused = await registry.activate({ 'mfe-careers': before.version });
    expect(refusal(refused)).toEqual([409, 'path_reserved']);
    expect(detail(refused)).toMatch(
      /^mfe-careers wants "\/jobs", which is reserved for mfe-jobs of the team jobs/,
    );
  });

  test('a canary with a path that was reassigned in the meantime is not promoted', async () => {
    await registry.startSite();
    await registry.publish(careers(['/careers']));
    await registry.activate({ 'mfe-careers': careers(['/careers']).version });
    const next = careers(['/careers', '/jobs'], 2);
    await registry.publish(next);
    expect((await registry.activate({ 'mfe-careers': next.version }, { share: 10 })).status).toBe(201);
    await change('mfe-careers', { paths: ['/careers'] });
    await create({ app: 'mfe-jobs', owner: 'jobs', paths: ['/jobs/*'] });
    const refused = await registry.send<OwnedAnswer & Failed>('POST', '/v1/channels/production/promotions', {
      body: { reason: 'a test' },
    });
    expect(refusal(refused)).toEqual([409, 'path_reserved']);
  });

  test('an owner that is not a valid team name is rejected, because it appears in commands to copy', async () => {
    const refused = await registry.publish({ ...careers(['/careers']), owner: 'x; rm -rf ~' });
    expect(refusal(refused)).toEqual([422, 'manifest_malformed']);
    expect(detail(refused)).toContain('"x; rm -rf ~": a team name in lower case');
  });

  test('of two concurrent publishes with the same path, one succeeds', async () => {
    const versions = ['mfe-one', 'mfe-two'].map((app) => remoteManifest(app, { paths: ['/wanted'] }));
    const answers = await Promise.all(versions.map((manifest) => registry.publish(manifest)));
    expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
    expect((await owned()).filter(({ paths }) => paths.includes('/wanted'))).toHaveLength(1);
  });
});
