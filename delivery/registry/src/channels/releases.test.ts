import { forEachTest } from '@site/server/testing/for-each-test';
import type { RemoteManifest, SentReleaseDocument, ShellManifest } from '@site/contract';
import { fullBrand } from '../testing/brand.ts';
import { createHarness, siteConfig, registryTables } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

const blocks2 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 });
const blocks3 = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 3 });
const partners2 = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });

const registry = forEachTest(createHarness);

/** Publishes without rendering, which is left to the activation. */
const publish = (manifest: RemoteManifest | ShellManifest) =>
  registry.publish(manifest, { query: '?live-checks=defer' });
/** Limits an app's reservation to these paths; others may have the rest. */
const keepFor = (app: string, paths: string[]) =>
  registry.send('POST', `/v1/apps/${app}/changes`, { body: { paths, reason: 'the rest moves' } });
const code = ({ body }: { body: { errors: { code: string }[] } }) => body.errors[0]?.code;
const live = async () => (await registry.send('GET', '/v1/channels/production')).body;

describe('activating', () => {
  test('makes a release of all named versions, with author, reason and parent', async () => {
    const { shell, blocks, partners } = await registry.startSite();
    const { release, state } = await live();
    expect(release).toEqual({
      id: 'r1',
      channel: 'production',
      kind: 'activate',
      apps: { 'mfe-blocks': blocks.version, 'mfe-partners': partners.version, shell: shell.version },
      lastGood: {},
      config: siteConfig,
      by: 'olivia',
      reason: 'a test',
      at: '2026-01-01T12:00:00.000Z',
      parent: null,
    });
    expect(state).toMatchObject({ channel: 'production', live: 'r1', canaries: [], revoked: [] });
  });

  test('renders only the pages of the changed remote, and names the fallback version', async () => {
    const { blocks, partners } = await registry.startSite();
    await publish(blocks2);
    const { status, body } = await registry.activate({ 'mfe-blocks': blocks2.version });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      rendered: 2,
      changes: [{ app: 'mfe-blocks', from: blocks.version, to: blocks2.version }],
      release: {
        id: 'r2',
        parent: 'r1',
        apps: { 'mfe-partners': partners.version },
        lastGood: { 'mfe-blocks': blocks.version },
      },
    });
    expect(registry.composer.requests.map(({ app }) => app)).toEqual(['mfe-blocks']);
  });

  test('renders every variant of a page, and a new shell renders all pages again', async () => {
    await registry.startSite();
    const shell2 = shellManifest({ contents: 2 });
    await publish(shell2);
    // /blocks, /blocks/auth and both headlines of /partners
    expect((await registry.activate({ shell: shell2.version })).body.rendered).toBe(4);
  });

  test('a fallback version that no longer renders does not block it', async () => {
    const { blocks } = await registry.startSite();
    const fewer = remoteManifest('mfe-blocks', { paths: ['/blocks'], contents: 2 });
    for (const manifest of [fewer, partners2]) await publish(manifest);
    await registry.activate({ 'mfe-blocks': fewer.version, 'mfe-partners': partners2.version });
    registry.composer.broken.add('/blocks/auth');
    registry.composer.requests.length = 0;
    const config = { ...siteConfig, origin: 'https://moved.test' };
    const { status, body } = await registry.activate({}, { config });
    expect(status).toBe(201);
    expect(body.release.lastGood['mfe-blocks']).toBe(blocks.version);
    // Both live remotes, and their rollback targets.
    expect(registry.composer.requests.map(({ app }) => app).toSorted()).toEqual([
      'mfe-blocks',
      'mfe-blocks',
      'mfe-partners',
      'mfe-partners',
    ]);
  });

  test('another configuration renders all pages again, since they depend on it', async () => {
    await registry.startSite();
    const { body } = await registry.activate(
      {},
      { config: { ...siteConfig, mode: 'production', brand: fullBrand } },
    );
    expect(body).toMatchObject({ rendered: 4, release: { id: 'r2', config: { mode: 'production' } } });
  });

  test('live versions make no new release', async () => {
    const { blocks } = await registry.startSite();
    const { status, body } = await registry.activate({ 'mfe-blocks': blocks.version });
    expect(status).toBe(200);
    expect(body).toMatchObject({ changed: false, rendered: 0, release: { id: 'r1' } });
  });

  test('a page that does not render blocks the release and is named; the live release stays', async () => {
    await registry.startSite();
    await publish(blocks2);
    registry.composer.broken.add('/blocks/auth');
    const answer = await registry.activate({ 'mfe-blocks': blocks2.version });
    expect(answer.status).toBe(422);
    expect(code(answer)).toBe('page_not_rendered');
    expect(answer.body.errors[0]?.detail).toMatch(/mfe-blocks.*\/blocks\/auth.*no such block/);
    expect((await live()).state.live).toBe('r1');
  });

  test('an unpublished version is rejected', async () => {
    await registry.startSite();
    const answer = await registry.activate({ 'mfe-blocks': blocks2.version });
    expect([answer.status, code(answer)]).toEqual([404, 'version_unknown']);
  });

  test('a first release needs a shell and a configuration', async () => {
    await publish(blocks2);
    const withoutShell = await registry.activate({ 'mfe-blocks': blocks2.version }, { config: siteConfig });
    expect([withoutShell.status, code(withoutShell)]).toEqual([422, 'release_incomplete']);
    await registry.publish(shellManifest());
    const withoutConfig = await registry.activate({ shell: shellManifest().version });
    expect([withoutConfig.status, code(withoutConfig)]).toEqual([422, 'release_incomplete']);
  });

  test('two remotes that serve the same path cannot be live together', async () => {
    await registry.startSite();
    const cases = remoteManifest('mfe-cases', { paths: ['/blocks'] });
    await keepFor('mfe-blocks', ['/blocks/auth']);
    await registry.publish(cases, { query: '?live-checks=defer' });
    const answer = await registry.activate({ 'mfe-cases': cases.version });
    expect([answer.status, code(answer)]).toEqual([409, 'path_taken']);
    expect(answer.body.errors[0]?.detail).toMatch(
      /mfe-cases.*mfe-blocks.*"\/blocks"|mfe-blocks.*mfe-cases.*"\/blocks"/,
    );
  });

  test('redirect loops are rejected', async () => {
    await registry.startSite();
    const cases = remoteManifest('mfe-cases', { redirects: [{ from: '*', to: '/home' }] });
    await publish(cases);
    const answer = await registry.activate({ 'mfe-cases': cases.version });
    expect([answer.status, code(answer)]).toEqual([422, 'redirect_loop']);
  });

  test('a remote that needs more than the shell provides is rejected, unless activated with a suitable shell', async () => {
    await registry.startSite();
    const needsNew = remoteManifest('mfe-cases', { requires: { react: '^20.0.0' } });
    await registry.publish(needsNew, { query: '?live-checks=defer' });
    const answer = await registry.activate({ 'mfe-cases': needsNew.version });
    expect([answer.status, code(answer)]).toEqual([409, 'range_unmet']);
    expect(answer.body.errors[0]?.detail).toContain('needs react ^20.0.0, the shell offers 19.3.0');

    const shell20 = shellManifest({ contents: 20, provides: { react: '20.0.0' } });
    const others = ['mfe-blocks', 'mfe-partners'].map((app) =>
      remoteManifest(app, { contents: 20, requires: { react: '^20.0.0' } }),
    );
    for (const manifest of [shell20, ...others]) {
      await registry.publish(manifest, { query: '?live-checks=defer' });
    }
    const together = [shell20, needsNew, ...others].map(({ app, version }) => [app, version] as const);
    expect((await registry.activate(Object.fromEntries(together))).status).toBe(201);
  });

  test.each([
    ['not even a body', undefined],
    ['an invalid version id', { apps: { shell: 'latest' }, reason: 'x' }],
    ['no reason', { apps: {} }],
    ['an empty reason', { apps: {}, reason: '  ' }],
    ['an app name with a path in it', { apps: { '../../etc': '1.0.0-000000000001' }, reason: 'x' }],
    ['an unknown field', { apps: {}, reason: 'x', canary: 10 }],
  ])('%s is rejected as the caller’s mistake', async (_what, body) => {
    const { status } = await registry.send('POST', '/v1/channels/production/releases', body ? { body } : {});
    expect([400, 415, 422]).toContain(status);
  });

  test('an unknown channel is rejected', async () => {
    const answer = await registry.send('POST', '/v1/channels/preview/releases', {
      body: { apps: {}, reason: 'x' },
    });
    expect([answer.status, code(answer)]).toEqual([404, 'channel_unknown']);
  });
});

describe('the document of a release', () => {
  const readDocument = (release: string, headers: Record<string, string> = {}) =>
    registry.send<SentReleaseDocument>('GET', `/v1/releases/${release}/document`, { as: 'read', headers });
  const named = ({ app, version }: { app: string; version: string }) => `${app}@${version}`;

  test('omits what the named release contains, and is complete for other callers', async () => {
    const { shell, blocks, partners } = await registry.startSite();
    await publish(blocks2);
    await registry.activate({ 'mfe-blocks': blocks2.version });
    const whole = (await readDocument('r2')).body;
    const names = [shell, blocks, blocks2, partners].map(named).sort();
    expect([Object.keys(whole.manifests).sort(), whole.besides]).toEqual([names, undefined]);
    const besides = (await readDocument('r2', { 'known-release': 'r1' })).body;
    expect(besides).toEqual({
      ...whole,
      besidesDigest: expect.stringMatching(/^[0-9a-f]{64}$/) as string,
      manifests: { [named(blocks2)]: whole.manifests[named(blocks2)] },
      rendered: {
        '/blocks': whole.rendered['/blocks'],
        '/blocks/auth': whole.rendered['/blocks/auth'],
      },
      packs: {
        files: { [named(blocks2)]: whole.packs?.files[named(blocks2)] },
        pages: { 'mfe-blocks': whole.packs?.pages['mfe-blocks'] },
      },
      besides: 'r1',
      besidesPages: true,
    });
    // It also contains the last good version, so that a rollback needs nothing more.
    expect((await readDocument('r1', { 'known-release': 'r2' })).body.manifests).toEqual({});
  });

  test.each(['shell', 'configuration'])(
    'has all pages after a new %s, which changes each of them',
    async (what) => {
      await registry.startSite();
      const shell = shellManifest({ contents: 2 });
      if (what === 'shell') await publish(shell);
      const config = { ...siteConfig, origin: 'https://moved.test' };
      const { status } = await registry.activate(
        what === 'shell' ? { shell: shell.version } : {},
        what === 'shell' ? {} : { config },
      );
      expect(status).toBe(201);
      const { rendered, besidesPages } = (await readDocument('r2', { 'known-release': 'r1' })).body;
      expect([Object.keys(rendered).sort(), besidesPages]).toEqual([
        ['/blocks', '/blocks/auth', '/partners'],
        false,
      ]);
    },
  );

  test('is complete for a caller that names an unknown release', async () => {
    await registry.startSite();
    const { status, body } = await readDocument('r1', { 'known-release': 'r99' });
    expect([status, body]).toEqual([200, (await readDocument('r1')).body]);
    expect((await readDocument('r1', { 'known-release': 'latest' })).status).toBe(400);
  });
});

describe('rolling back', () => {
  test('restores the last good version, quarantines the bad one, revokes its releases and renders nothing', async () => {
    const { blocks, partners } = await registry.startSite();
    await publish(blocks2);
    await publish(partners2);
    await registry.activate({ 'mfe-blocks': blocks2.version });
    await registry.activate({ 'mfe-partners': partners2.version });
    registry.composer.requests.length = 0;

    const { status, body } = await registry.rollBack({ app: 'mfe-blocks', reason: 'the form is broken' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      rendered: 0,
      quarantined: { app: 'mfe-blocks', version: blocks2.version },
      revoked: ['r2', 'r3'],
      release: {
        id: 'r4',
        kind: 'rollback',
        reason: 'the form is broken',
        parent: 'r3',
        apps: { 'mfe-blocks': blocks.version, 'mfe-partners': partners2.version },
        lastGood: { 'mfe-partners': partners.version },
      },
    });
    expect(body.release.lastGood['mfe-blocks']).toBeUndefined();
    expect(registry.composer.requests).toEqual([]);
    expect((await live()).state).toMatchObject({ live: 'r4', revoked: ['r2', 'r3'] });
  });

  test('renders nothing even if the shell or the configuration changed since that version was live', async () => {
    const { blocks } = await registry.startSite();
    await publish(blocks2);
    await registry.activate({ 'mfe-blocks': blocks2.version });
    const { release } = await live();
    const config = { ...release.config, origin: 'https://moved.test' };
    await registry.send('POST', '/v1/channels/production/releases', {
      body: { apps: {}, config, reason: 'the site moved' },
    });
    registry.composer.requests.length = 0;

    const { status, body } = await registry.rollBack({ app: 'mfe-blocks', reason: 'broken since' });
    expect([status, body.rendered, body.release.apps['mfe-blocks']]).toEqual([201, 0, blocks.version]);
    expect(registry.composer.requests).toEqual([]);
  });

  describe('of the shell', () => {
    const shell2 = shellManifest({ contents: 2 });
    beforeEach(() =>
      registry.once('another shell', async () => {
        await registry.startSite();
        for (const manifest of [shell2, blocks2]) await publish(manifest);
        await registry.activate({ shell: shell2.version });
      }),
    );

    test('renders nothing, even if a remote was activated since', async () => {
      await registry.activate({ 'mfe-blocks': blocks2.version });
      registry.composer.requests.length = 0;
      const { status, body } = await registry.rollBack({ app: 'shell' });
      expect([status, body.rendered]).toEqual([201, 0]);
      expect(body.release.apps).toMatchObject({
        shell: shellManifest().version,
        'mfe-blocks': blocks2.version,
      });
      expect(registry.composer.requests).toEqual([]);
    });

    test('is rejected with the name of a remote that does not render there; activating that remote was not', async () => {
      const { compose } = registry.composer;
      registry.composer.compose = async (request) => {
        if (request.shell.toString().includes('shell server 1')) registry.composer.broken.add('/blocks/auth');
        return compose(request).finally(() => registry.composer.broken.clear());
      };
      expect((await registry.activate({ 'mfe-blocks': blocks2.version })).status).toBe(201);
      const answer = await registry.rollBack({ app: 'shell' });
      expect([answer.status, code(answer)]).toEqual([422, 'page_not_rendered']);
      expect(answer.body.errors[0]?.detail).toContain(`mfe-blocks@${blocks2.version}`);
      await registry.rollBack({ app: 'mfe-blocks' });
      expect((await registry.rollBack({ app: 'shell' })).status).toBe(201);
    });

    test('that the store has lost does not block the activation of a remote', async () => {
      await registry.store.delete(shellManifest().server.integrity);
      expect((await registry.activate({ 'mfe-blocks': blocks2.version })).status).toBe(201);
    });
  });

  test('skips a quarantined version, even if it was live more recently', async () => {
    const { blocks } = await registry.startSite();
    for (const manifest of [blocks2, blocks3]) {
      await publish(manifest);
      await registry.activate({ 'mfe-blocks': manifest.version });
    }
    const first = await registry.rollBack({ app: 'mfe-blocks' });
    expect(first.body.release.apps['mfe-blocks']).toBe(blocks2.version);
    const second = await registry.rollBack({ app: 'mfe-blocks' });
    expect(second.body.release.apps['mfe-blocks']).toBe(blocks.version);
  });

  test('of the shell selects a shell that provides what the remotes need', async () => {
    const { shell } = await registry.startSite();
    const older = shellManifest({ contents: 2, provides: { react: '19.2.0' } });
    const cases = remoteManifest('mfe-cases', { requires: { react: '>=19.3.0' } });
    const newest = shellManifest({ contents: 3 });
    for (const manifest of [older, cases, newest]) await publish(manifest);
    await registry.activate({ shell: older.version });
    await registry.activate({ shell: newest.version, 'mfe-cases': cases.version });
    const { body } = await registry.rollBack({ app: 'shell' });
    expect(body.release.apps['shell']).toBe(shell.version);
  });

  test('to a named version selects that one', async () => {
    const { blocks } = await registry.startSite();
    for (const manifest of [blocks2, blocks3]) {
      await publish(manifest);
      await registry.activate({ 'mfe-blocks': manifest.version });
    }
    const { body } = await registry.rollBack({ app: 'mfe-blocks', to: blocks.version });
    expect(body.release.apps['mfe-blocks']).toBe(blocks.version);
  });

  test('to a version that was never live for everyone is rejected: it must be activated', async () => {
    const { blocks } = await registry.startSite();
    for (const manifest of [blocks2, blocks3]) await publish(manifest);
    await registry.activate({ 'mfe-blocks': blocks3.version }, { share: 10 });
    for (const { version } of [blocks2, blocks3]) {
      const target = { app: 'mfe-blocks', to: version, live: true };
      const answer = await registry.rollBack(target);
      expect([answer.status, code(answer)]).toEqual([409, 'version_never_live']);
      const forced = await registry.rollBack({ ...target, force: true });
      expect([forced.status, code(forced)]).toEqual([409, 'version_never_live']);
    }
    expect((await live()).release.apps['mfe-blocks']).toBe(blocks.version);
  });

  test('skips a version whose path has been taken by another remote', async () => {
    await registry.startSite();
    const withMore = remoteManifest('mfe-blocks', {
      paths: ['/blocks', '/blocks/auth', '/more'],
      contents: 2,
    });
    const owner = remoteManifest('mfe-cases', { paths: ['/more'] });
    await publish(withMore);
    await registry.activate({ 'mfe-blocks': withMore.version });
    await publish(blocks3);
    await registry.activate({ 'mfe-blocks': blocks3.version });
    await keepFor('mfe-blocks', ['/blocks', '/blocks/auth']);
    await publish(owner);
    await registry.activate({ 'mfe-cases': owner.version });
    // Browser fallbacks skip it as well.
    expect((await live()).release.lastGood['mfe-blocks']).toBe(remoteManifest('mfe-blocks').version);
    const { status, body } = await registry.rollBack({ app: 'mfe-blocks' });
    expect([status, body.release.apps['mfe-blocks']]).toEqual([201, remoteManifest('mfe-blocks').version]);
  });

  test('skips a version that would close a redirect loop with another remote', async () => {
    await registry.startSite();
    const redirecting = remoteManifest('mfe-blocks', {
      paths: ['/blocks', '/blocks/auth'],
      redirects: [{ from: '/old', to: '/former' }],
      contents: 2,
    });
    const answering = remoteManifest('mfe-blocks', {
      paths: ['/blocks', '/blocks/auth', '/old'],
      contents: 3,
    });
    const partners = remoteManifest('mfe-partners', {
      redirects: [{ from: '/former', to: '/old' }],
      contents: 2,
    });
    for (const manifest of [redirecting, answering, partners]) {
      await publish(manifest);
      expect((await registry.activate({ [manifest.app]: manifest.version })).status).toBe(201);
    }
    const first = remoteManifest('mfe-blocks').version;
    expect((await live()).release.lastGood['mfe-blocks']).toBe(first);
    const { status, body } = await registry.rollBack({ app: 'mfe-blocks' });
    expect([status, body.release.apps['mfe-blocks']]).toEqual([201, first]);
  });

  test('of a version that is live on two channels revokes only releases of the channel', async () => {
    const { shell, blocks } = await registry.startSite();
    await publish(blocks2);
    const onStaging = (path: string, body: object) =>
      registry.send('POST', `/v1/channels/staging/${path}`, { body: { reason: 'a test', ...body } });
    const config = { ...siteConfig, mode: 'production', brand: fullBrand };
    const apps = { shell: shell.version, 'mfe-blocks': blocks.version };
    await onStaging('releases', { apps, config });
    const staged = await onStaging('releases', { apps: { 'mfe-blocks': blocks2.version } });
    const { release } = (await registry.activate({ 'mfe-blocks': blocks2.version })).body;

    const first = await onStaging('rollbacks', { app: 'mfe-blocks' });
    expect([first.status, first.body.revoked]).toEqual([201, [staged.body.release.id]]);
    expect((await live()).state.revoked).toEqual([]);
    const second = await registry.rollBack({ app: 'mfe-blocks' });
    expect([second.status, second.body.revoked]).toEqual([201, [release.id]]);
    expect((await live()).state.revoked).toEqual([release.id]);
  });

  test('without an earlier version is rejected', async () => {
    await registry.startSite();
    const answer = await registry.rollBack({ app: 'mfe-blocks' });
    expect([answer.status, code(answer)]).toEqual([409, 'no_good_version']);
  });

  test('of an app that is not live is rejected with the live apps', async () => {
    await registry.startSite();
    const answer = await registry.rollBack({ app: 'mfe-nothing' });
    expect([answer.status, code(answer)]).toEqual([404, 'app_unknown']);
    expect(answer.body.errors[0]?.detail).toContain('mfe-blocks, mfe-partners, shell');
  });
});

describe('a quarantined version', () => {
  beforeEach(() =>
    registry.once('rolled back', async () => {
      await registry.startSite();
      await publish(blocks2);
      await registry.activate({ 'mfe-blocks': blocks2.version });
      await registry.rollBack({ app: 'mfe-blocks', reason: 'the form is broken' });
    }),
  );

  test('cannot be activated again, and the rejection states who quarantined it and why', async () => {
    const answer = await registry.activate({ 'mfe-blocks': blocks2.version });
    expect([answer.status, code(answer)]).toEqual([409, 'version_quarantined']);
    expect(answer.body.errors[0]?.detail).toMatch(/olivia.*the form is broken/);
  });

  test('can be forced, which lifts the quarantine and is audited', async () => {
    const { body } = await registry.activate({ 'mfe-blocks': blocks2.version }, { force: true });
    expect(body.release.apps['mfe-blocks']).toBe(blocks2.version);
    expect((await live()).state).toMatchObject({ live: 'r4', revoked: ['r2'] });
    const { body: versions } = await registry.send<{ versions: { quarantined: unknown }[] }>(
      'GET',
      '/v1/apps/mfe-blocks/versions',
    );
    expect(versions.versions.map(({ quarantined }) => quarantined)).toEqual([null, null]);
    const events = await registryTables(registry)
      .selectFrom('audit_events')
      .select('action')
      .orderBy('sequence')
      .execute();
    expect(events.map(({ action }) => action)).toContain('version.unquarantined');
  });

  test('is not a rollback target, even if named', async () => {
    const answer = await registry.rollBack({ app: 'mfe-blocks', to: blocks2.version });
    expect([answer.status, code(answer)]).toEqual([409, 'version_quarantined']);
  });

  test('does not block releases of other apps', async () => {
    await publish(partners2);
    expect((await registry.activate({ 'mfe-partners': partners2.version })).status).toBe(201);
  });
});
