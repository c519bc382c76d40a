import type { ChangeAnswer, ChannelAnswer, Release, ReleaseDocument } from '@site/contract';
import type { Database } from '@site/server/open-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { checkAuditLog } from '../upkeep/audit-log-check.repository.ts';
import { createHarness, siteConfig, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

const blocks = (contents: number, more: object = {}) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents, ...more });
const partners = (contents: number) =>
  remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents });
const version = (contents: number) => blocks(contents).version;

type Failed = { errors: { code: string; detail: string }[] };

let registry: Harness;

/** A shell, mfe-blocks and mfe-partners are live, and newer versions of both remotes are published. */
async function makeSite(database: Database): Promise<Harness> {
  registry = await createHarness(database);
  await registry.once('newer versions', async () => {
    await registry.startSite();
    for (const manifest of [blocks(2), blocks(3), partners(2)]) {
      await registry.publish(manifest, { query: '?live-checks=defer' });
    }
  });
  return registry;
}

const post = (path: string, body: object, sent: object = {}) =>
  registry.send<ChangeAnswer & Failed>('POST', `/v1/channels/production/${path}`, {
    body: { reason: 'a test', ...body },
    ...sent,
  });
const startCanary = (contents: number, share = 10, sent: object = {}) =>
  post('releases', { apps: { 'mfe-blocks': version(contents) }, share }, sent);
const activate = (app: string, contents: number, more: object = {}) =>
  post('releases', { apps: { [app]: version(contents) }, ...more });
const refusal = ({ status, body }: { status: number; body: Failed }) => [status, body.errors[0]?.code];
const detail = ({ body }: { body: Failed }) => body.errors[0]?.detail;
const channel = async () => (await registry.send<ChannelAnswer>('GET', '/v1/channels/production')).body;

describe('a canary', () => {
  forEachTest(makeSite);

  describe('starting', () => {
    test('makes a release that is the canary; the live one stays', async () => {
      const { status, body } = await startCanary(2, 10);
      expect(status).toBe(201);
      expect(body).toMatchObject({
        release: { id: 'r2', kind: 'activate', parent: 'r1', apps: { 'mfe-blocks': version(2) } },
        changed: true,
        rendered: 2,
        changes: [{ app: 'mfe-blocks', from: version(1), to: version(2) }],
        canary: { release: 'r2', share: 10 },
      });
      const now = await channel();
      expect(now.state).toMatchObject({
        channel: 'production',
        live: 'r1',
        canaries: [{ release: 'r2', app: 'mfe-blocks', share: 10 }],
        revoked: [],
      });
      expect(now.release?.id).toBe('r1');
      expect(now.canaries).toMatchObject([
        {
          release: {
            id: 'r2',
            lastGood: { 'mfe-blocks': version(1) },
            at: '2026-01-01T12:00:00.000Z',
            by: 'olivia',
          },
          app: 'mfe-blocks',
          share: 10,
        },
      ]);
    });

    test('supports shares with a precision of 0.01 %', async () => {
      await startCanary(2, 10);
      for (const share of [0.01, 0.07, 1.15, 8.2, 33.33, 99.99]) {
        await post('canary', { share });
        const [row] = await registryTables(registry)
          .selectFrom('canaries')
          .select('basis_points')
          .where('channel', '=', 'production')
          .execute();
        expect(row?.basis_points).toBe(Number(`${share}e2`));
        expect((await channel()).state.canaries[0]?.share).toBe(share);
      }
    });

    test('with an invalid or too precise share is rejected', async () => {
      for (const share of [0, 100, -1, 101, 0.001, 12.345, '10', null]) {
        const answer = await post('releases', { apps: { 'mfe-blocks': version(2) }, share });
        expect(refusal(answer)).toEqual([422, 'body_invalid']);
      }
    });

    test('during another canary of the app is rejected, with its name and how to end it', async () => {
      await startCanary(2);
      const answer = await startCanary(3);
      expect(refusal(answer)).toEqual([409, 'canary_running']);
      expect(detail(answer)).toMatch(
        /"r2" of mfe-blocks, by olivia, is shown to 10 %.*cli status.*cli abort/,
      );
    });

    test('of two apps at once is rejected', async () => {
      const apps = { 'mfe-blocks': version(2), 'mfe-partners': version(2) };
      const answer = await post('releases', { apps, share: 10 });
      expect(refusal(answer)).toEqual([422, 'body_invalid']);
      expect(detail(answer)).toContain('start one for each');
    });

    test('as the first release of a channel is rejected', async () => {
      const answer = await registry.send<Failed>('POST', '/v1/channels/staging/releases', {
        body: { apps: { shell: version(1) }, share: 10, reason: 'a test' },
      });
      expect(refusal(answer)).toEqual([422, 'release_incomplete']);
    });

    test('with live versions only makes no release', async () => {
      const { status, body } = await startCanary(1);
      expect([status, body.changed, body.canary]).toEqual([200, false, null]);
    });

    test('with a page that does not render changes nothing', async () => {
      registry.composer.broken.add('/blocks');
      expect(refusal(await startCanary(2))).toEqual([422, 'page_not_rendered']);
      expect((await channel()).state).toMatchObject({ live: 'r1', canaries: [] });
    });

    test('does not prove a version: it is not a fallback later', async () => {
      await startCanary(2);
      await post('aborts', {});
      await activate('mfe-blocks', 3);
      expect((await channel()).release?.lastGood['mfe-blocks']).toBe(version(1));
      const { body } = await registry.rollBack({ app: 'mfe-blocks' });
      expect(body.release.apps['mfe-blocks']).toBe(version(1));
    });
  });

  describe('its share', () => {
    beforeEach(() => startCanary(2, 10));

    test('is raised and lowered without another release', async () => {
      for (const share of [50, 12.5]) {
        const { status, body } = await post('canary', { share });
        expect([status, body.changed, body.release.id]).toEqual([200, true, 'r2']);
        expect((await channel()).state.canaries).toEqual([{ release: 'r2', app: 'mfe-blocks', share }]);
      }
    });

    test('that is already set changes nothing', async () => {
      const { body } = await post('canary', { share: 10 });
      expect(body).toMatchObject({ changed: false, canary: { release: 'r2', share: 10 } });
    });

    test('cannot be raised, only lowered, while the app is frozen or the version is quarantined', async () => {
      await post('freezes', { app: 'mfe-blocks' });
      expect(refusal(await post('canary', { share: 20 }))).toEqual([409, 'frozen']);
      expect((await post('canary', { share: 5 })).status).toBe(200);
      await post('unfreezes', { app: 'mfe-blocks' });
      await registry.send('POST', `/v1/apps/mfe-blocks/versions/${version(2)}/quarantines`, {
        body: { reason: 'leaks' },
      });
      expect(refusal(await post('canary', { share: 20 }))).toEqual([409, 'version_quarantined']);
      expect((await post('canary', { share: 1 })).status).toBe(200);
    });

    test('of another canary than the author saw is unchanged', async () => {
      await post('aborts', {});
      await startCanary(3);
      const answer = await post('canary', { share: 50, ifCanary: 'r2' });
      expect(refusal(answer)).toEqual([409, 'no_canary']);
      expect(detail(answer)).toContain('No canary "r2" runs on "production"; running: r3 of mfe-blocks.');
    });
  });

  describe('promoting', () => {
    test('makes a release for everyone, renders nothing, ends the canary and revokes nothing', async () => {
      await startCanary(2);
      registry.composer.requests.length = 0;
      const { status, body } = await post('promotions', { ifCanary: 'r2' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        release: {
          id: 'r3',
          kind: 'promote',
          parent: 'r1',
          apps: { 'mfe-blocks': version(2) },
          lastGood: { 'mfe-blocks': version(1) },
        },
        rendered: 0,
        changes: [{ app: 'mfe-blocks', from: version(1), to: version(2) }],
        canary: null,
      });
      expect(registry.composer.requests).toEqual([]);
      expect((await channel()).state).toMatchObject({
        channel: 'production',
        live: 'r3',
        canaries: [],
        revoked: [],
      });
    });

    test('without a canary is rejected', async () => {
      expect(refusal(await post('promotions', {}))).toEqual([409, 'no_canary']);
    });

    test('a version that was quarantined in the meantime is rejected', async () => {
      await startCanary(2);
      await registry.send('POST', `/v1/apps/mfe-blocks/versions/${version(2)}/quarantines`, {
        body: { reason: 'leaks' },
      });
      expect(refusal(await post('promotions', {}))).toEqual([409, 'version_quarantined']);
    });

    test('can be rolled back like every release, which also revokes the canary’s release', async () => {
      await startCanary(2);
      await post('promotions', {});
      const { body } = await registry.rollBack({ app: 'mfe-blocks' });
      expect(body).toMatchObject({ rendered: 0, revoked: ['r2', 'r3'] });
      expect(body.release.apps['mfe-blocks']).toBe(version(1));
    });
  });

  describe('aborting', () => {
    test('ends the canary, revokes its release and leaves the live one', async () => {
      await startCanary(2);
      const { status, body } = await post('aborts', {});
      expect(status).toBe(200);
      expect(body).toMatchObject({
        release: { id: 'r1' },
        changes: [{ app: 'mfe-blocks', from: version(2), to: version(1) }],
        canary: null,
        revoked: ['r2'],
      });
      expect((await channel()).state).toMatchObject({ live: 'r1', canaries: [], revoked: ['r2'] });
      expect((await startCanary(2)).status).toBe(201);
    });

    test('with quarantine quarantines exactly the version of the canary', async () => {
      await startCanary(2);
      const { body } = await post('aborts', { quarantine: true });
      expect(body.quarantined).toEqual({ app: 'mfe-blocks', version: version(2) });
      expect(refusal(await startCanary(2))).toEqual([409, 'version_quarantined']);
      expect((await activate('mfe-partners', 2)).status).toBe(201);
    });
  });

  describe('when another app changes', () => {
    beforeEach(() => startCanary(2, 25));
    const running = [{ release: 'r2', app: 'mfe-blocks', share: 25 }];

    test('an activation leaves the canary as it is; a promotion then contains both', async () => {
      const { body } = await activate('mfe-partners', 2);
      expect(body).toMatchObject({
        release: { id: 'r3', apps: { 'mfe-blocks': version(1), 'mfe-partners': version(2) } },
        canary: null,
      });
      expect((await channel()).state).toMatchObject({ live: 'r3', canaries: running, revoked: [] });
      const promoted = await post('promotions', { ifCanary: 'r2' });
      expect(promoted.body.release).toMatchObject({
        parent: 'r3',
        apps: { 'mfe-blocks': version(2), 'mfe-partners': version(2) },
      });
    });

    test('a rollback leaves it as it is, and revokes releases with the bad version only', async () => {
      await activate('mfe-partners', 2);
      const { body } = await registry.rollBack({ app: 'mfe-partners' });
      expect(body).toMatchObject({ rendered: 0, revoked: ['r3'] });
      expect(body).not.toHaveProperty('canariesEnded');
      const { state, release } = await channel();
      expect(release?.apps).toMatchObject({ 'mfe-partners': version(1), 'mfe-blocks': version(1) });
      expect(state).toMatchObject({ live: 'r4', canaries: running });
    });

    test('an activation that conflicts with the canary is rejected with the conflict', async () => {
      const shell = shellManifest({ contents: 9, provides: { react: '19.0.0' } });
      await post('aborts', {});
      const needsNew = blocks(4, { requires: { react: '>=19.3.0' } });
      for (const manifest of [shell, needsNew]) {
        await registry.publish(manifest, { query: '?live-checks=defer' });
      }
      await startCanary(4);
      const answer = await activate('shell', 9);
      expect(refusal(answer)).toEqual([409, 'canary_running']);
      expect(detail(answer)).toMatch(/of mfe-blocks.*this change does not fit it.*needs react >=19\.3\.0/);
      expect((await channel()).release?.apps['shell']).toBe(version(1));
    });

    test('a rollback ends a canary that conflicts with the restored versions', async () => {
      await post('aborts', {});
      const old = shellManifest({ contents: 9, provides: { react: '19.4.0' } });
      const needsNew = blocks(4, { requires: { react: '>=19.4.0' } });
      for (const manifest of [old, needsNew]) {
        await registry.publish(manifest, { query: '?live-checks=defer' });
      }
      await activate('shell', 9);
      const started = await startCanary(4);
      const { status, body } = await registry.rollBack({ app: 'shell' });
      expect(status).toBe(201);
      expect(body).toMatchObject({
        canary: null,
        canariesEnded: [
          {
            release: started.body.release.id,
            app: 'mfe-blocks',
            because: expect.stringContaining('react') as string,
          },
        ],
      });
      expect(body.revoked).toContain(started.body.release.id);
      const { state, release } = await channel();
      expect(state.canaries).toEqual([]);
      expect(release?.apps['shell']).toBe(version(1));
    });

    describe('a rollback of the shell', () => {
      const shell = (contents: number) => shellManifest({ contents });
      beforeEach(async () => {
        await post('aborts', {});
        for (const contents of [2, 3]) {
          await registry.publish(shell(contents), { query: '?live-checks=defer' });
          await activate('shell', contents);
        }
        await startCanary(3);
        registry.composer.requests.length = 0;
      });

      test.each([2, 1])('to version %d does not wait for the canary, which continues', async (to) => {
        const { status, body } = await post('rollbacks', { app: 'shell', to: version(to) });
        expect([status, body.rendered]).toEqual([201, 0]);
        expect(registry.composer.requests).toEqual([]);
        expect(body).not.toHaveProperty('canariesEnded');
        expect((await channel()).state.canaries).toHaveLength(1);
      });

      test('renders the missing pages of the canary afterwards, once', async () => {
        await post('rollbacks', { app: 'shell', to: version(1) });
        const shown = async () => {
          const { state } = await channel();
          const url = `/v1/releases/${state.live}/document?canaries=${state.canaries[0]?.release}`;
          const { body } = await registry.send<ReleaseDocument>('GET', url);
          return [body.release.apps['shell'], body.release.apps['mfe-blocks'], Object.keys(body.rendered)];
        };
        expect(await shown()).toEqual([version(1), version(3), expect.not.arrayContaining(['/blocks'])]);
        await registry.look();
        expect(await shown()).toEqual([
          version(1),
          version(3),
          expect.arrayContaining(['/blocks', '/partners']),
        ]);
        const rendered = registry.composer.requests.length;
        await registry.look();
        expect(registry.composer.requests).toHaveLength(rendered);
      });
    });

    describe('a rollback of the same app', () => {
      // r4 shows version 3 to 10 %; the others see version 2.
      beforeEach(async () => {
        await post('promotions', {});
        await startCanary(3);
      });
      const app = 'mfe-blocks';

      test('is rejected until it names a version, whatever the caller saw', async () => {
        const seen = { headers: { 'if-live-version': version(2) } };
        for (const answer of [
          await post('rollbacks', { app }),
          await post('rollbacks', { app }, seen),
          await post('rollbacks', { app, to: version(1) }),
          await post('rollbacks', { app, dryRun: true }),
        ]) {
          expect(refusal(answer)).toEqual([409, 'rollback_unclear']);
          expect(detail(answer)).toContain(`mfe-blocks@${version(3)} to 10 % of the visitors`);
          expect(detail(answer)).toContain(
            'npx @site/cli abort mfe-blocks --quarantine --if-canary r4 --reason',
          );
          expect(detail(answer)).toContain('npx @site/cli rollback mfe-blocks --live --reason');
        }
        expect((await channel()).state).toMatchObject({ live: 'r3', canaries: [{ release: 'r4' }] });
      });

      test("by the canary's version removes that one, and the good one stays live", async () => {
        const { status, body } = await post('rollbacks', { app, from: version(3) });
        expect(status).toBe(200);
        expect(body).toMatchObject({
          release: { id: 'r3' },
          changes: [{ app, from: version(3), to: version(2) }],
          quarantined: { app, version: version(3) },
          revoked: ['r4'],
          canary: null,
          canariesEnded: [{ release: 'r4', app }],
        });
        expect((await channel()).state).toMatchObject({ live: 'r3', canaries: [] });
        expect(refusal(await activate(app, 3))).toEqual([409, 'version_quarantined']);
      });

      test.each([{ live: true }, { from: version(2) }, { from: version(2), live: true }])(
        'with %j removes the live version, and the canary continues',
        async (meant) => {
          const { body } = await post('rollbacks', { app, ...meant });
          expect(body).toMatchObject({
            release: { id: 'r5', apps: { [app]: version(1) } },
            quarantined: { app, version: version(2) },
            revoked: ['r2', 'r3'],
          });
          expect((await channel()).state.canaries).toEqual([{ release: 'r4', app, share: 10 }]);
        },
      );

      test('ends the canary if its version becomes the live one', async () => {
        await activateNext(3);
        const { body } = await post('rollbacks', { app, live: true });
        expect(body.release.apps[app]).toBe(version(3));
        expect(body.canariesEnded?.[0]?.because).toMatch(/All visitors see/);
        expect((await channel()).state.canaries).toEqual([]);
      });

      test('cannot remove the version of the canary with "live", nor choose another target for its visitors', async () => {
        expect(refusal(await post('rollbacks', { app, from: version(3), live: true }))).toEqual([
          409,
          'version_not_live',
        ]);
        expect(refusal(await post('rollbacks', { app, from: version(3), to: version(1) }))).toEqual([
          409,
          'rollback_unclear',
        ]);
        expect((await channel()).state).toMatchObject({ live: 'r3', canaries: [{ release: 'r4' }] });
      });

      /** `contents` was live before the current version, and is the canary again. */
      async function activateNext(contents: number): Promise<void> {
        await post('promotions', {});
        await activate(app, 2);
        await startCanary(contents);
      }
    });

    test('an activation of the same app is rejected', async () => {
      const answer = await activate('mfe-blocks', 3);
      expect(refusal(answer)).toEqual([409, 'canary_running']);
      expect(detail(answer)).toContain('promote or abort it before you change mfe-blocks');
    });

    test('a new configuration leaves the canary as it is', async () => {
      const config = { ...siteConfig, origin: 'https://moved.test' };
      await post('releases', { apps: {}, config });
      expect((await channel()).state.canaries).toEqual(running);
    });
  });

  describe('a canary of the configuration', () => {
    const config = { ...siteConfig, origin: 'https://next.test' };

    test('keeps its configuration when an app changes, and is for ops alone', async () => {
      await post('releases', { apps: {}, config, share: 10 });
      await activate('mfe-partners', 2);
      const { release, state } = await channel();
      expect(release).toMatchObject({
        config: { origin: siteConfig.origin },
        apps: { 'mfe-partners': version(2) },
      });
      expect(state.canaries).toEqual([{ release: 'r2', app: 'config', share: 10 }]);
      expect(refusal(await post('promotions', {}, { as: 'activator' }))).toEqual([403, 'scope_missing']);
    });

    test('blocks another configuration', async () => {
      await post('releases', { apps: {}, config, share: 10 });
      const other = { ...siteConfig, origin: 'https://other.test' };
      expect(refusal(await post('releases', { apps: {}, config: other }))).toEqual([409, 'canary_running']);
    });
  });

  describe('permissions', () => {
    const asBen = { as: 'activator' };

    test('tokens that may activate its apps can start, raise, promote and abort it', async () => {
      expect((await startCanary(2, 10, asBen)).status).toBe(201);
      expect((await post('canary', { share: 20 }, asBen)).status).toBe(200);
      expect((await post('aborts', {}, asBen)).status).toBe(200);
      await startCanary(2, 10, asBen);
      expect((await post('promotions', {}, asBen)).status).toBe(201);
      expect((await channel()).release?.by).toBe('ben');
    });

    test('other teams cannot change the canary of an app', async () => {
      await post('releases', { apps: { 'mfe-partners': version(2) }, share: 10 });
      for (const [path, body] of [
        ['canary', { share: 20 }],
        ['promotions', {}],
        ['aborts', {}],
      ] as const) {
        expect(refusal(await post(path, body, asBen))).toEqual([403, 'scope_missing']);
        expect(refusal(await post(path, body, { as: 'blocks' }))).toEqual([403, 'scope_missing']);
      }
      expect((await channel()).state.canaries).toEqual([{ release: 'r2', app: 'mfe-partners', share: 10 }]);
    });
  });

  test('an edge reports the canary that it serves', async () => {
    await startCanary(2, 33.33);
    const beat = (id: string, body: object) =>
      registry.send('PUT', `/v1/edges/${id}`, { body: { channel: 'production', ...body } });
    const shown = [{ release: 'r2', app: 'mfe-blocks', share: 33.33 }];
    await beat('a', { release: 'r1', canaries: shown });
    await beat('b', { release: 'r1', canaries: [] });
    await beat('c', { release: 'r1' });
    expect((await channel()).edges.map(({ id, canaries }) => [id, canaries])).toEqual([
      ['a', shown],
      ['b', []],
      ['c', []],
    ]);
    await beat('a', { release: 'r1', canaries: [] });
    expect((await channel()).edges[0]?.canaries).toEqual([]);
  });
});

describe('a canary', () => {
  forEachTest(makeSite);

  describe('sent again with the same key', () => {
    const headers = { 'idempotency-key': 'once' };

    test.each([
      ['a start', 'releases', { apps: { 'mfe-partners': version(2) }, share: 10 }, false],
      ['a share', 'canary', { share: 40 }, true],
      ['a promotion', 'promotions', {}, true],
      ['an abort', 'aborts', { quarantine: true }, true],
    ])('%s acts once and responds the same, even concurrently', async (_what, path, body, running) => {
      if (running) await startCanary(2);
      const answers = await Promise.all([post(path, body, { headers }), post(path, body, { headers })]);
      const later = await post(path, body, { headers });
      expect(answers[0].status).toBeLessThan(300);
      expect(answers[1]).toEqual(answers[0]);
      expect(later).toEqual(answers[0]);
      const actions = await registryTables(registry)
        .selectFrom('audit_events')
        .select('action')
        .orderBy('sequence')
        .execute();
      expect(actions.filter(({ action }) => action === 'canary.started')).toHaveLength(1);
    });

    test('a stored "unchanged" response stays the same, even if others have changed the state since', async () => {
      const first = await post('releases', { apps: { 'mfe-blocks': version(1) } }, { headers });
      expect(first.body.changed).toBe(false);
      await activate('mfe-blocks', 2);
      expect(await post('releases', { apps: { 'mfe-blocks': version(1) } }, { headers })).toEqual(first);
      expect((await channel()).release?.apps['mfe-blocks']).toBe(version(2));
    });
  });

  describe('while a release of another app is composed', () => {
    beforeEach(() => startCanary(2, 25));

    test('a share that changes is kept', async () => {
      registry.composer.meanwhile = async () => {
        registry.composer.meanwhile = () => Promise.resolve();
        await post('canary', { share: 75 });
      };
      await activate('mfe-partners', 2);
      expect((await channel()).state.canaries).toEqual([{ release: 'r2', app: 'mfe-blocks', share: 75 }]);
    });

    test('a canary that ends stays ended', async () => {
      registry.composer.meanwhile = async () => {
        registry.composer.meanwhile = () => Promise.resolve();
        await post('aborts', {});
      };
      await activate('mfe-partners', 2);
      expect((await channel()).state.canaries).toEqual([]);
    });
  });

  test('the audit log and the history contain every step of a canary', async () => {
    await startCanary(2);
    await post('canary', { share: 50, reason: 'looks good' });
    await activate('mfe-partners', 2);
    await post('aborts', { reason: 'slow' });
    const rows = await registryTables(registry)
      .selectFrom('audit_events')
      .selectAll()
      .orderBy('sequence')
      .execute();
    expect(
      rows
        .filter(({ action }) => /canary|release\./.test(action))
        .map(({ action, subject }) => [action, subject]),
    ).toEqual([
      ['release.activate', 'r1'],
      ['canary.started', 'r2'],
      ['canary.share', 'r2'],
      ['release.activate', 'r3'],
      ['canary.aborted', 'r2'],
    ]);
    expect(rows.find(({ action }) => action === 'canary.share')?.details).toEqual({
      channel: 'production',
      from: 10,
      to: 50,
      reason: 'looks good',
    });
    expect(await checkAuditLog(registryTables(registry))).toMatchObject({ ok: true, problem: null });

    const { body } = await registry.send<{
      releases: (Release & { canary: boolean; revoked: boolean })[];
    }>('GET', '/v1/channels/production/releases?app=mfe-blocks');
    expect(body.releases.map(({ id, canary, revoked }) => [id, canary, revoked])).toEqual([
      ['r2', true, true],
      ['r1', false, false],
    ]);
  });
});

describe('canaries of several apps', () => {
  forEachTest(makeSite);
  const partnersCanary = () => post('releases', { apps: { 'mfe-partners': version(2) }, share: 20 });
  const running = async () => (await channel()).state.canaries.map(({ release, app }) => `${release} ${app}`);

  test('run at the same time; shares, promotions and aborts name the app', async () => {
    await startCanary(2);
    expect((await partnersCanary()).status).toBe(201);
    expect(await running()).toEqual(['r2 mfe-blocks', 'r3 mfe-partners']);
    for (const [path, body] of [
      ['canary', { share: 30 }],
      ['promotions', {}],
      ['aborts', {}],
    ] as const) {
      const answer = await post(path, body);
      expect(refusal(answer)).toEqual([409, 'canary_unclear']);
      expect(detail(answer)).toContain('r2 of mfe-blocks, r3 of mfe-partners');
    }
    expect((await post('canary', { app: 'mfe-partners', share: 30 })).body.canary).toEqual({
      release: 'r3',
      app: 'mfe-partners',
      share: 30,
    });
    const promoted = await post('promotions', { app: 'mfe-blocks' });
    expect(promoted.body.release.apps).toMatchObject({
      'mfe-blocks': version(2),
      'mfe-partners': version(1),
    });
    expect(await running()).toEqual(['r3 mfe-partners']);
    await post('aborts', { app: 'mfe-partners' });
    expect(await running()).toEqual([]);
    expect((await channel()).state.revoked).toEqual(['r3']);
  });

  test('a rollback of one canary leaves the other', async () => {
    await startCanary(2);
    await partnersCanary();
    const { body } = await post('rollbacks', { app: 'mfe-blocks', from: version(2) });
    expect(body.canariesEnded).toMatchObject([{ release: 'r2', app: 'mfe-blocks' }]);
    expect(await running()).toEqual(['r3 mfe-partners']);
  });

  test('two that do not fit together are refused at the start of the second, with both named', async () => {
    const old = shellManifest({ contents: 9, provides: { react: '19.0.0' } });
    const needsNew = blocks(4, { requires: { react: '>=19.3.0' } });
    for (const manifest of [old, needsNew]) await registry.publish(manifest, { query: '?live-checks=defer' });
    await startCanary(4);
    const answer = await post('releases', { apps: { shell: version(9) }, share: 10 });
    expect(refusal(answer)).toEqual([409, 'canary_running']);
    expect(detail(answer)).toMatch(/"r2" of mfe-blocks.*needs react >=19\.3\.0/);
    expect(await running()).toEqual(['r2 mfe-blocks']);
  });

  test('pages of a remote are rendered in the shells of both visitors', async () => {
    await registry.publish(shellManifest({ contents: 2 }), { query: '?live-checks=defer' });
    await post('releases', { apps: { shell: version(2) }, share: 10 });
    await startCanary(2);
    const rendered = await registryTables(registry)
      .selectFrom('rendered_pages')
      .select(['shell_version'])
      .distinct()
      .where('app', '=', 'mfe-blocks')
      .where('app_version', '=', version(2))
      .orderBy('shell_version')
      .execute();
    expect(rendered.map((row) => row.shell_version)).toEqual([version(1), version(2)].toSorted());
  });

  test('of shell and configuration run together, and each is promoted alone', async () => {
    await registry.publish(shellManifest({ contents: 2 }), { query: '?live-checks=defer' });
    await post('releases', { apps: { shell: version(2) }, share: 10 });
    await post('releases', { apps: {}, config: { ...siteConfig, origin: 'https://next.test' }, share: 10 });
    await startCanary(2);
    expect(await running()).toEqual(['r2 shell', 'r3 config', 'r4 mfe-blocks']);
    const { body } = await post('promotions', { app: 'config' });
    expect(body.release).toMatchObject({
      config: { origin: 'https://next.test' },
      apps: { shell: version(1) },
    });
    expect(await running()).toEqual(['r2 shell', 'r4 mfe-blocks']);
  });
});
