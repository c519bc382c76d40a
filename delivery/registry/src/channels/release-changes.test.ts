import { databases } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import type { ReleaseDocument, RemoteManifest, ShellManifest } from '@site/contract';
import { checkAuditLog } from '../upkeep/audit-log-check.repository.ts';
import { fullBrand } from '../testing/brand.ts';
import { createHarness, siteConfig, registryTables, testAuditKey } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

const blocks2 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
const blocks3 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
const partners2 = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });

describe.each(databases)('changes of releases on $name', ({ start }) => {
  const registry = forEachTest(createHarness, start);

  /** Publishes without rendering, which is left to the activation. */
  const publish = (manifest: RemoteManifest | ShellManifest) =>
    registry.publish(manifest, { query: '?live-checks=defer' });
  const code = ({ body }: { body: { errors: { code: string }[] } }) => body.errors[0]?.code;
  const live = async () => (await registry.send('GET', '/v1/channels/production')).body;

  /** Activates two more versions of mfe-blocks, one after the other. */
  const activateTwoMore = () =>
    registry.once('two more', async () => {
      await registry.startSite();
      for (const manifest of [blocks2, blocks3]) {
        await publish(manifest);
        await registry.activate({ 'mfe-blocks': manifest.version });
      }
    });

  describe('two concurrent changes', () => {
    beforeEach(() =>
      registry.once('newer versions', async () => {
        await registry.startSite();
        for (const manifest of [blocks2, blocks3, partners2]) await publish(manifest);
      }),
    );

    test('of different apps are both live afterwards', async () => {
      const answers = await Promise.all([
        registry.activate({ 'mfe-blocks': blocks2.version }),
        registry.activate({ 'mfe-partners': partners2.version }),
      ]);
      expect(answers.map(({ status }) => status)).toEqual([201, 201]);
      expect((await live()).release).toMatchObject({
        apps: { 'mfe-blocks': blocks2.version, 'mfe-partners': partners2.version },
      });
    });

    test('of one app: the second is rejected with the concurrent change', async () => {
      registry.composer.meanwhile = async () => {
        registry.composer.meanwhile = () => Promise.resolve();
        await registry.activate({ 'mfe-blocks': blocks3.version });
      };
      const answer = await registry.activate({ 'mfe-blocks': blocks2.version });
      expect([answer.status, code(answer)]).toEqual([409, 'parent_outdated']);
      expect(answer.body.errors[0]?.detail).toContain(`→ ${blocks3.version}`);
      expect((await live()).release.apps['mfe-blocks']).toBe(blocks3.version);
    });

    test('with the same named parent: exactly one is accepted', async () => {
      const answers = await Promise.all([
        registry.activate({ 'mfe-blocks': blocks2.version }, { ifLive: 'r1' }),
        registry.activate({ 'mfe-partners': partners2.version }, { ifLive: 'r1' }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      const late = await registry.activate({ shell: '9.9.9-000000000009' }, { ifLive: 'r1' });
      expect(late.body.errors[0]?.detail).toMatch(
        /"r2" by olivia is live \(mfe-\w+ 1\.0\.0-\w+ → 1\.0\.0-\w+\)/,
      );
      expect(answers.filter(({ status }) => status === 409).map(code)).toEqual(['parent_outdated']);
    });

    test('a rollback during a release of another app: both take effect', async () => {
      await registry.activate({ 'mfe-blocks': blocks2.version });
      registry.composer.meanwhile = async () => {
        registry.composer.meanwhile = () => Promise.resolve();
        await registry.rollBack({ app: 'mfe-blocks' });
      };
      expect((await registry.activate({ 'mfe-partners': partners2.version })).status).toBe(201);
      const { release } = await live();
      expect(release.apps['mfe-partners']).toBe(partners2.version);
      expect(release.apps['mfe-blocks']).not.toBe(blocks2.version);
    });

    test('a version that is rolled back during a release that contains it does not return', async () => {
      await registry.activate({ 'mfe-blocks': blocks2.version });
      await registry.send('POST', '/v1/channels/staging/releases', {
        body: {
          apps: { shell: shellManifest().version },
          config: { ...siteConfig, mode: 'production', brand: fullBrand },
          reason: 'a test',
        },
      });
      registry.composer.meanwhile = async () => {
        registry.composer.meanwhile = () => Promise.resolve();
        await registry.rollBack({ app: 'mfe-blocks' });
      };
      const answer = await registry.send('POST', '/v1/channels/staging/releases', {
        body: { apps: { 'mfe-blocks': blocks2.version }, reason: 'a test' },
      });
      expect([answer.status, code(answer)]).toEqual([409, 'version_quarantined']);
    });
  });

  describe('a rollback', () => {
    test('by two concurrent users removes the bad version once, and nothing else', async () => {
      await activateTwoMore();
      const answers = await Promise.all([
        registry.rollBack({ app: 'mfe-blocks', from: blocks3.version }),
        registry.rollBack({ app: 'mfe-blocks', from: blocks3.version }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([201, 409]);
      expect((await live()).release.apps['mfe-blocks']).toBe(blocks2.version);
    });

    test('by two users who both saw the bad version removes it once, even if neither named it', async () => {
      await activateTwoMore();
      const send = (key: string, seen: string) =>
        registry.rollBack(
          { app: 'mfe-blocks' },
          { headers: { 'idempotency-key': key, 'if-live-version': seen } },
        );
      const first = await send('anna', blocks3.version);
      const second = await send('bert', blocks3.version);
      expect([first.status, second.status, code(second)]).toEqual([201, 409, 'version_not_live']);
      expect((await live()).release.apps['mfe-blocks']).toBe(blocks2.version);
      // A retry reads the state again, but is the same request.
      expect(await send('anna', blocks2.version)).toEqual(first);
      expect((await send('carl', '?')).status).toBe(400);
    });

    test('of a version on a channel without a live release is rejected', async () => {
      await activateTwoMore();
      const { body } = await registry.send('POST', '/v1/channels/staging/rollbacks', {
        body: { app: 'mfe-blocks', from: blocks3.version, reason: 'a test' },
      });
      expect(body.errors[0]?.detail).toContain('is not live on "staging": no version of mfe-blocks is.');
    });
  });

  describe('a repeated command', () => {
    const headers = { 'idempotency-key': 'rollback-of-today' };
    beforeEach(activateTwoMore);

    test('with the same key does not act twice and gets the same response', async () => {
      const first = await registry.rollBack({ app: 'mfe-blocks' }, { headers });
      const second = await registry.rollBack({ app: 'mfe-blocks' }, { headers });
      expect(second).toEqual(first);
      expect((await live()).state.live).toBe('r4');
    });

    test('during the first one acts once', async () => {
      const answers = await Promise.all([
        registry.rollBack({ app: 'mfe-blocks' }, { headers }),
        registry.rollBack({ app: 'mfe-blocks' }, { headers }),
      ]);
      expect(answers[1]).toEqual(answers[0]);
      expect((await live()).state.live).toBe('r4');
    });

    test('with the key of another command is rejected', async () => {
      await registry.rollBack({ app: 'mfe-blocks' }, { headers });
      const answer = await registry.rollBack({ app: 'mfe-partners' }, { headers });
      expect([answer.status, code(answer)]).toEqual([422, 'idempotency_key_reused']);
    });

    test('after a rejection may succeed', async () => {
      await publish(partners2);
      registry.composer.broken.add('/partners');
      const apps = { 'mfe-partners': partners2.version };
      expect((await registry.activate(apps, {}, { headers })).status).toBe(422);
      registry.composer.broken.clear();
      expect((await registry.activate(apps, {}, { headers })).status).toBe(201);
    });
  });

  describe('stored data', () => {
    test('a release document has every manifest and every rendered page that an edge needs', async () => {
      const { blocks, partners } = await registry.startSite();
      await publish(blocks2);
      await registry.activate({ 'mfe-blocks': blocks2.version });
      const { body } = await registry.send<ReleaseDocument>('GET', '/v1/releases/r2/document', {
        as: 'read',
      });
      expect(Object.keys(body.manifests).sort()).toEqual(
        [
          `mfe-blocks@${blocks.version}`,
          `mfe-blocks@${blocks2.version}`,
          `mfe-partners@${partners.version}`,
          `shell@${shellManifest().version}`,
        ].sort(),
      );
      expect(Object.keys(body.rendered).sort()).toEqual(['/blocks', '/blocks/auth', '/partners']);
      expect(Object.keys(body.rendered['/partners'] ?? {}).sort()).toEqual(['headline=a', 'headline=b']);
      const page = await registry.store.get(body.rendered['/partners']?.['headline=b'] ?? '');
      expect(JSON.parse(page?.toString() ?? '')).toEqual({
        head: '<title>/partners</title>',
        html: '<h1>mfe-partners /partners headline=b</h1>',
      });
    });

    test('the history lists releases newest first with their changes, of all apps or one', async () => {
      await registry.startSite();
      await publish(blocks2);
      await publish(partners2);
      await registry.activate({ 'mfe-blocks': blocks2.version });
      await registry.activate({ 'mfe-partners': partners2.version });
      await registry.rollBack({ app: 'mfe-blocks' });
      const history = async (query: string) => {
        const { body } = await registry.send<{
          releases: { id: string; revoked: boolean; changes: unknown[] }[];
        }>('GET', `/v1/channels/production/releases${query}`);
        return body.releases;
      };
      expect((await history('')).map(({ id, revoked }) => [id, revoked])).toEqual([
        ['r4', false],
        ['r3', true],
        ['r2', true],
        ['r1', false],
      ]);
      expect((await history('?app=mfe-blocks')).map(({ id }) => id)).toEqual(['r4', 'r2', 'r1']);
      expect((await history('?limit=1'))[0]?.changes).toHaveLength(1);
    });

    test('the audit log is one unbroken chain of all changes and their authors', async () => {
      await registry.startSite();
      await publish(blocks2);
      await registry.activate({ 'mfe-blocks': blocks2.version });
      await registry.rollBack({ app: 'mfe-blocks' });
      const rows = await registryTables(registry)
        .selectFrom('audit_events')
        .selectAll()
        .orderBy('sequence')
        .execute();
      expect(rows.slice(-3).map(({ by, action, subject }) => [by, action, subject])).toEqual([
        ['olivia', 'release.activate', 'r2'],
        ['olivia', 'version.quarantined', `mfe-blocks@${blocks2.version}`],
        ['olivia', 'release.rollback', 'r3'],
      ]);
      expect(await checkAuditLog(registryTables(registry))).toMatchObject({ ok: true, problem: null });
    });

    test('the database itself prevents rewriting history', async () => {
      await registry.startSite();
      const db = registryTables(registry);
      await expect(db.updateTable('releases').set({ by: 'nobody' }).execute()).rejects.toThrow(/append-only/);
      await expect(db.deleteFrom('audit_events').execute()).rejects.toThrow(/append-only/);
    });

    test('a second registry over the same database has the same state as the first', async () => {
      await registry.startSite();
      const { createRegistryApp } = await import('../create-registry-app.ts');
      const { store, composer, database } = registry;
      const second = await createRegistryApp({ store, composer, database, auditKey: testAuditKey });
      const answer = await second.inject({
        url: '/v1/channels/production',
        headers: { authorization: `Bearer ${registry.tokens.read}` },
      });
      expect(answer.json()).toMatchObject({ release: { id: 'r1' } });
      await second.close();
    });
  });
});
