import type { ChangeAnswer, ChannelAnswer, FreezesAnswer, QuarantineAnswer } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, siteConfig, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const registry = forEachTest(createHarness);
beforeEach(() =>
  registry.once('newer versions', async () => {
    await registry.startSite();
    for (const manifest of [blocks2, partners2])
      await registry.publish(manifest, { query: '?live-checks=defer' });
  }),
);

const blocks2 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
const partners2 = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });
const { version } = blocks2;

interface Failed {
  errors: { code: string; detail: string }[];
}
const post = <T = ChangeAnswer>(path: string, body: object, sent: object = {}) =>
  registry.send<T & Failed>('POST', `/v1/${path}`, { body: { reason: 'a test', ...body }, ...sent });
const change = (path: string, body: object = {}, sent: object = {}) =>
  post(`channels/production/${path}`, body, sent);
const freeze = (body: object = {}, sent: object = {}) =>
  post<FreezesAnswer>('channels/production/freezes', body, sent);
const unfreeze = (body: object = {}, sent: object = {}) =>
  post<FreezesAnswer>('channels/production/unfreezes', body, sent);
const quarantine = (body: object = {}, sent: object = {}) =>
  post<QuarantineAnswer>(`apps/mfe-blocks/versions/${version}/quarantines`, body, sent);
const unquarantine = (body: object = {}, sent: object = {}) =>
  post<QuarantineAnswer>(`apps/mfe-blocks/versions/${version}/unquarantines`, body, sent);
const refusal = ({ status, body }: { status: number; body: Failed }) => [status, body.errors[0]?.code];
const channel = async () => (await registry.send<ChannelAnswer>('GET', '/v1/channels/production')).body;
const actions = async () =>
  (
    await registryTables(registry).selectFrom('audit_events').select('action').orderBy('sequence').execute()
  ).map(({ action }) => action);
const toBlocks2 = { apps: { 'mfe-blocks': version } };
const toPartners2 = { apps: { 'mfe-partners': partners2.version } };

describe('a freeze', () => {
  test('of an app blocks its activation, its canary and its promotion, and states who froze it and why', async () => {
    await change('releases', { ...toBlocks2, share: 10 });
    await freeze({ app: 'mfe-blocks', reason: 'launch day' });
    const promotion = await change('promotions');
    expect(refusal(promotion)).toEqual([409, 'frozen']);
    expect(promotion.body.errors[0]?.detail).toMatch(
      /mfe-blocks on "production" was frozen by olivia at 2026-01-01 12:00:00 UTC: "launch day"/,
    );
    expect((await change('aborts')).status).toBe(200);
    expect(refusal(await change('releases', toBlocks2))).toEqual([409, 'frozen']);
    expect(refusal(await change('releases', { ...toBlocks2, share: 10 }))).toEqual([409, 'frozen']);
    expect((await change('releases', toPartners2)).status).toBe(201);
  });

  test('of everything blocks every app and a new configuration, even with force; rollbacks stay possible', async () => {
    await change('releases', toBlocks2);
    await freeze();
    const config = { ...siteConfig, origin: 'https://moved.test' };
    for (const body of [toPartners2, { ...toPartners2, force: true }, { apps: {}, config }]) {
      expect(refusal(await change('releases', body))).toEqual([409, 'frozen']);
    }
    expect((await change('rollbacks', { app: 'mfe-blocks' })).status).toBe(201);
  });

  test('cannot be bypassed by a rollback to a version that was never live, or is quarantined', async () => {
    await change('releases', toBlocks2);
    await change('rollbacks', { app: 'mfe-blocks' });
    const blocks3 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
    await registry.publish(blocks3);
    await freeze();
    const back = (body: object, sent: object = {}) =>
      change('rollbacks', { app: 'mfe-blocks', ...body }, sent);
    expect(refusal(await back({ to: blocks3.version }, { as: 'activator' }))).toEqual([
      409,
      'version_never_live',
    ]);
    expect(refusal(await back({ to: version, force: true }))).toEqual([409, 'frozen']);
    expect((await channel()).state.live).toBe('r3');
    await unfreeze();
    expect((await back({ to: version, force: true })).status).toBe(201);
  });

  describe('cannot be bypassed by lifting a quarantine', () => {
    const byTeam = { as: 'activator' };
    const back = (body: object = {}) => change('rollbacks', { app: 'mfe-blocks', ...body }, byTeam);
    const first = remoteManifest('mfe-blocks').version;
    const blocks3 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
    const toBlocks3 = { apps: { 'mfe-blocks': blocks3.version } };
    beforeEach(() => registry.publish(blocks3));

    test('a rolled-back version is not a rollback target, neither named nor as the last good version', async () => {
      await change('releases', toBlocks2, byTeam);
      await back();
      await freeze();
      await unquarantine({}, byTeam);
      expect(refusal(await change('releases', toBlocks2, byTeam))).toEqual([409, 'frozen']);
      expect(refusal(await back({ to: version }))).toEqual([409, 'frozen']);
      expect(refusal(await back())).toEqual([409, 'frozen']);
      expect((await channel()).state.live).toBe('r3');
    });

    test('nor is a version that was quarantined while live and replaced by an activation', async () => {
      await change('releases', toBlocks2);
      await quarantine({}, byTeam);
      await change('releases', toBlocks3);
      await freeze({ app: 'mfe-blocks' });
      await unquarantine({}, byTeam);
      expect(refusal(await back({ to: version }))).toEqual([409, 'frozen']);
      // The previous version was never found bad.
      expect((await back()).body.release.apps['mfe-blocks']).toBe(first);
    });

    test("nor if the quarantine is lifted before the freeze, or the freeze starts during the rollback's rendering", async () => {
      await change('releases', toBlocks2);
      await back();
      await unquarantine({}, byTeam);
      for (const { integrity } of await registryTables(registry)
        .selectFrom('rendered_pages')
        .select('integrity')
        .where('app_version', '=', version)
        .execute()) {
        await registry.store.delete(integrity);
      }
      registry.composer.meanwhile = async () => {
        registry.composer.meanwhile = () => Promise.resolve();
        await freeze();
      };
      expect(refusal(await back({ to: version }))).toEqual([409, 'frozen']);
      expect(refusal(await back({ to: version }))).toEqual([409, 'frozen']);
      await unfreeze();
      expect((await back({ to: version })).status).toBe(201);
    });

    test('a version that went live again after its quarantine is a rollback target', async () => {
      await change('releases', toBlocks2);
      await back();
      await unquarantine();
      for (const apps of [toBlocks2, toBlocks3]) await change('releases', apps);
      await freeze();
      expect((await back()).body.release.apps['mfe-blocks']).toBe(version);
    });

    test('the rollback of another app does not remove it', async () => {
      await change('releases', toPartners2);
      await change('releases', toBlocks2);
      await change('rollbacks', { app: 'mfe-partners' });
      await freeze();
      expect((await channel()).state.revoked).toEqual(['r2', 'r3']);
      expect((await back()).body.release.apps['mfe-blocks']).toBe(first);
    });
  });

  test('applies only to its channel', async () => {
    await post('channels/staging/freezes', {});
    expect((await change('releases', toBlocks2)).status).toBe(201);
  });

  test('is listed with the channel until it is lifted; each freeze is lifted separately', async () => {
    await freeze({ app: 'mfe-blocks', reason: 'launch day' });
    await freeze({ reason: 'holidays' });
    const at = '2026-01-01T12:00:00.000Z';
    expect((await channel()).freezes).toEqual([
      { app: null, by: 'olivia', at, reason: 'holidays' },
      { app: 'mfe-blocks', by: 'olivia', at, reason: 'launch day' },
    ]);
    const { body } = await unfreeze();
    expect(body).toEqual({
      changed: true,
      freezes: [{ app: 'mfe-blocks', by: 'olivia', at, reason: 'launch day' }],
    });
    expect(refusal(await change('releases', toBlocks2))).toEqual([409, 'frozen']);
    await unfreeze({ app: 'mfe-blocks' });
    expect((await change('releases', toBlocks2)).status).toBe(201);
    expect(await actions()).toEqual(
      expect.arrayContaining(['channel.frozen', 'channel.frozen', 'channel.unfrozen', 'channel.unfrozen']),
    );
  });

  test('twice keeps the first reason; lifting a missing freeze changes nothing', async () => {
    await freeze({ reason: 'holidays' });
    expect((await freeze({ reason: 'another' })).body).toMatchObject({
      changed: false,
      freezes: [{ reason: 'holidays' }],
    });
    expect((await unfreeze({ app: 'mfe-blocks' })).body.changed).toBe(false);
  });

  test('that starts during a release blocks it', async () => {
    registry.composer.meanwhile = async () => {
      registry.composer.meanwhile = () => Promise.resolve();
      await freeze({ app: 'mfe-blocks' });
    };
    expect(refusal(await change('releases', toBlocks2))).toEqual([409, 'frozen']);
    expect((await channel()).state.live).toBe('r1');
  });

  test('is for ops, and for existing apps', async () => {
    for (const call of [freeze, unfreeze]) {
      expect(refusal(await call({ app: 'mfe-blocks' }, { as: 'activator' }))).toEqual([403, 'scope_missing']);
      expect(refusal(await call({ app: 'mfe-blosk' }))).toEqual([404, 'app_unknown']);
    }
  });

  test('repeated with the same key is one', async () => {
    const headers = { 'idempotency-key': 'freeze' };
    const first = await freeze({}, { headers });
    await unfreeze();
    expect(await freeze({}, { headers })).toEqual(first);
    expect((await channel()).freezes).toEqual([]);
  });
});

describe('a quarantine', () => {
  test("blocks a version's activation and canary on every channel until it is lifted", async () => {
    const { body } = await quarantine({ reason: 'leaks memory' });
    expect(body).toMatchObject({
      app: 'mfe-blocks',
      version,
      changed: true,
      quarantined: { reason: 'leaks memory', by: 'olivia', at: '2026-01-01T12:00:00.000Z' },
      live: [],
      canary: [],
      fallback: [],
    });
    expect(refusal(await change('releases', toBlocks2))).toEqual([409, 'version_quarantined']);
    expect(refusal(await change('releases', { ...toBlocks2, share: 5 }))).toEqual([
      409,
      'version_quarantined',
    ]);
    expect((await unquarantine()).body).toMatchObject({ changed: true, quarantined: null });
    expect((await change('releases', toBlocks2)).status).toBe(201);
    expect((await actions()).slice(-3)).toEqual([
      'version.quarantined',
      'version.unquarantined',
      'release.activate',
    ]);
  });

  test('of a live version changes nothing on the site, and reports where it is live', async () => {
    await change('releases', { ...toBlocks2, share: 10 });
    expect((await quarantine()).body).toMatchObject({ live: [], canary: ['production'] });
    await unquarantine();
    await change('promotions');
    expect((await quarantine()).body).toMatchObject({ live: ['production'], canary: [] });
    expect((await channel()).release?.apps['mfe-blocks']).toBe(version);
  });

  test('of a fallback version reports it; activating the live versions again selects another fallback', async () => {
    await change('releases', toBlocks2);
    const blocks3 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
    await registry.publish(blocks3);
    const toBlocks3 = { apps: { 'mfe-blocks': blocks3.version } };
    await change('releases', toBlocks3);
    expect((await quarantine()).body.fallback).toEqual([{ channel: 'production', live: blocks3.version }]);

    const again = await change('releases', toBlocks3);
    expect([again.status, again.body.changed, again.body.changes]).toEqual([201, true, []]);
    expect(again.body.release.lastGood['mfe-blocks']).toBe('1.0.0-000000000001');
    expect((await quarantine()).body.fallback).toEqual([]);
    expect((await change('releases', toBlocks3)).body.changed).toBe(false);
  });

  describe('by ops can be lifted only by ops', () => {
    const byTeam = { as: 'activator' };
    const unquarantined = async () => refusal(await unquarantine({}, byTeam));

    test('while a team can lift its own', async () => {
      await quarantine();
      expect(await unquarantined()).toEqual([403, 'scope_missing']);
      expect((await unquarantine()).body).toMatchObject({ changed: true, quarantined: null });
      await quarantine({}, byTeam);
      expect((await unquarantine({}, byTeam)).body).toMatchObject({ changed: true });
    });

    test('even after the team has rolled the version back, or quarantined it again', async () => {
      await change('releases', toBlocks2);
      await quarantine({ reason: 'leaks memory' });
      expect((await change('rollbacks', { app: 'mfe-blocks' }, byTeam)).status).toBe(201);
      expect((await quarantine({}, byTeam)).body).toMatchObject({
        changed: false,
        quarantined: { by: 'olivia', reason: 'leaks memory' },
      });
      expect(await unquarantined()).toEqual([403, 'scope_missing']);
      expect(refusal(await change('releases', toBlocks2, byTeam))).toEqual([409, 'version_quarantined']);
      expect((await actions()).filter((action) => action === 'version.quarantined')).toHaveLength(1);
    });

    test('even after the team has aborted its canary with quarantine', async () => {
      await change('releases', { ...toBlocks2, share: 10 });
      await quarantine();
      expect((await change('aborts', { quarantine: true }, byTeam)).status).toBe(200);
      expect(await unquarantined()).toEqual([403, 'scope_missing']);
    });

    test('even if the team had quarantined the version before ops did', async () => {
      await quarantine({ reason: 'ugly' }, byTeam);
      expect((await quarantine({ reason: 'leaks memory' })).body).toMatchObject({
        changed: true,
        quarantined: { by: 'olivia', reason: 'leaks memory' },
      });
      expect(await unquarantined()).toEqual([403, 'scope_missing']);
    });
  });

  test('twice keeps the first reason', async () => {
    await quarantine({ reason: 'leaks memory' });
    const { body } = await quarantine({ reason: 'ugly' });
    expect(body).toMatchObject({ changed: false, quarantined: { reason: 'leaks memory' } });
    await unquarantine();
    expect((await unquarantine()).body).toMatchObject({ changed: false, quarantined: null });
  });

  test('is for tokens that may activate the app', async () => {
    expect((await quarantine({}, { as: 'activator' })).status).toBe(200);
    for (const as of ['blocks', 'read']) {
      expect(refusal(await unquarantine({}, { as }))).toEqual([403, 'scope_missing']);
    }
    const other = await post(`apps/mfe-partners/versions/${version}/quarantines`, {}, { as: 'activator' });
    expect(refusal(other)).toEqual([403, 'scope_missing']);
  });

  test.each([
    ['mfe-blocks/versions/9.9.9-000000000009', 'version_unknown'],
    ['..%2Fetc/versions/1.0.0-000000000001', 'app_unknown'],
  ])('of %s is rejected', async (path, code) => {
    expect(refusal(await post(`apps/${path}/quarantines`, {}))).toEqual([404, code]);
  });
});

describe('a dry run', () => {
  async function everything() {
    const db = registryTables(registry);
    const tables = [
      'releases',
      'release_apps',
      'revocations',
      'channels',
      'freezes',
      'quarantines',
      'audit_events',
      'idempotency_keys',
    ] as const;
    return Promise.all(tables.map((table) => db.selectFrom(table).selectAll().execute()));
  }

  test.each([
    ['an activation', 'channels/production/releases', toBlocks2, 'live'],
    ['a canary', 'channels/production/releases', { ...toBlocks2, share: 10 }, 'live'],
    ['an activation beside a canary', 'channels/production/releases', toPartners2, 'canary'],
    ['a share', 'channels/production/canary', { share: 50 }, 'canary'],
    ['a promotion', 'channels/production/promotions', {}, 'canary'],
    ['an abort', 'channels/production/aborts', { quarantine: true }, 'canary'],
    ['a rollback', 'channels/production/rollbacks', { app: 'mfe-blocks' }, 'two releases'],
    ['a freeze', 'channels/production/freezes', {}, 'live'],
    ['an unfreeze', 'channels/production/unfreezes', {}, 'frozen'],
    ['a quarantine', `apps/mfe-blocks/versions/${version}/quarantines`, {}, 'live'],
    ['its end', `apps/mfe-blocks/versions/${version}/unquarantines`, {}, 'quarantined'],
  ])('of %s returns the result, and changes nothing', async (_what, path, body, before) => {
    if (before === 'canary') await change('releases', { ...toBlocks2, share: 10 });
    if (before === 'two releases') await change('releases', toBlocks2);
    if (before === 'frozen') await freeze();
    if (before === 'quarantined') await quarantine();
    const kept = await everything();
    const headers = { 'idempotency-key': 'k' };
    const dry = await post<object>(path, { ...body, dryRun: true }, { headers });
    expect(dry.status).toBe(200);
    expect(dry.body).toMatchObject({ changed: true, dryRun: true });
    expect(await everything()).toEqual(kept);

    const real = await post<object>(path, body, { headers });
    // The dry run's rendered pages stay.
    expect({ ...dry.body, rendered: 0 }).toEqual({ ...real.body, rendered: 0, dryRun: true });
  });

  test.each<[string, () => Promise<string>, object]>([
    ['a token', () => Promise.resolve('tokens'), { name: 'ci', scopes: ['read'] }],
    ['the end of a token', async () => `tokens/${await anotherToken()}/revocations`, { reason: 'a test' }],
    ['a preview', () => Promise.resolve('previews'), { app: 'mfe-blocks', version }],
    ['the end of a preview', async () => `previews/${await aPreview()}/revocations`, { reason: 'a test' }],
    ['a collection', () => Promise.resolve('collections'), { keepReleases: 1 }],
  ])('of %s changes nothing either, and leaves the key unused', async (_what, changePath, body) => {
    const path = `/v1/${await changePath()}`;
    const db = registryTables(registry);
    const all = async () => [
      await everything(),
      await db.selectFrom('tokens').selectAll().orderBy('id').execute(),
      await db.selectFrom('previews').selectAll().execute(),
    ];
    const kept = await all();
    const sent = { headers: { 'idempotency-key': 'k' } };
    const dry = await registry.send<object>('POST', path, { ...sent, body: { ...body, dryRun: true } });
    expect(dry).toMatchObject({ status: 200, body: { dryRun: true } });
    expect(await all()).toEqual(kept);
    const real = await registry.send<object>('POST', path, { ...sent, body });
    expect([200, 201]).toContain(real.status);
    expect(real.body).not.toHaveProperty('dryRun');
    expect(await db.selectFrom('idempotency_keys').select('key').execute()).toEqual([{ key: 'k' }]);
  });

  const made = async (path: string, body: object) =>
    (await registry.send<{ id: string }>('POST', `/v1/${path}`, { body })).body.id;
  const anotherToken = () => made('tokens', { name: 'another', scopes: ['read'] });
  const aPreview = () => made('previews', { app: 'mfe-blocks', version });

  test('is rejected if the change would be', async () => {
    await freeze();
    expect(refusal(await change('releases', { ...toBlocks2, dryRun: true }))).toEqual([409, 'frozen']);
    expect(refusal(await change('promotions', { dryRun: true }))).toEqual([409, 'no_canary']);
    registry.composer.broken.add('/blocks');
    await unfreeze();
    expect(refusal(await change('releases', { ...toBlocks2, dryRun: true }))).toEqual([
      422,
      'page_not_rendered',
    ]);
  });
});

describe('the difference between two releases', () => {
  test('names apps, settings, pages and files, in both directions', async () => {
    const cases = remoteManifest('mfe-cases');
    const fewer = remoteManifest('mfe-blocks', { paths: ['/blocks'], contents: 5 });
    for (const manifest of [cases, fewer]) await registry.publish(manifest, { query: '?live-checks=defer' });
    await change('releases', {
      apps: { 'mfe-cases': cases.version, 'mfe-blocks': fewer.version },
      config: { ...siteConfig, origin: 'https://moved.test', forms: { ...siteConfig.forms, appId: 'new' } },
    });
    const bytes = (manifest: typeof cases) => manifest.assets.reduce((sum, { size }) => sum + size, 0);
    const old = '1.0.0-000000000001';
    const { body } = await registry.send<object>('GET', '/v1/releases/r1/diff/r2', { as: 'read' });
    expect(body).toEqual({
      from: 'r1',
      to: 'r2',
      apps: [
        { app: 'mfe-blocks', from: old, to: fewer.version },
        { app: 'mfe-cases', from: null, to: cases.version },
      ],
      config: [
        { key: 'forms.appId', from: 'app', to: 'new' },
        { key: 'origin', from: 'http://localhost:8080', to: 'https://moved.test' },
      ],
      pages: { added: ['/cases'], removed: ['/blocks/auth'] },
      files: [
        {
          app: 'mfe-blocks',
          added: ['remoteEntry.5.js'],
          removed: ['remoteEntry.1.js'],
          unchanged: 1,
          bytesFrom: bytes(remoteManifest('mfe-blocks')),
          bytesTo: bytes(fewer),
        },
        {
          app: 'mfe-cases',
          added: ['chunk.js', 'remoteEntry.1.js'],
          removed: [],
          unchanged: 0,
          bytesFrom: 0,
          bytesTo: bytes(cases),
        },
      ],
    });
    const back = await registry.send<{ pages: object }>('GET', '/v1/releases/r2/diff/r1', { as: 'read' });
    expect(back.body.pages).toEqual({ added: ['/blocks/auth'], removed: ['/cases'] });
  });

  test('between a release and itself is empty; an invalid release is rejected', async () => {
    const { body } = await registry.send<object>('GET', '/v1/releases/r1/diff/r1');
    expect(body).toMatchObject({ apps: [], config: [], pages: { added: [], removed: [] }, files: [] });
    for (const path of ['r1/diff/r9', 'r9/diff/r1', 'r1/diff/x']) {
      const answer = await registry.send<Failed>('GET', `/v1/releases/${path}`);
      expect(refusal(answer)).toEqual([404, 'release_unknown']);
    }
  });
});
