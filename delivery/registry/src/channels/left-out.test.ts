import { ComposeError } from '@site/composer/compose-error';
import type { ChangeAnswer, ChannelAnswer } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, siteConfig } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

type Failed = { errors: { code: string; detail: string }[] };

const partners = (contents: number, more: object = {}) =>
  remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents, ...more });
const shell = (contents: number, more: object = {}) => shellManifest({ contents, ...more });
const version = (contents: number) => shell(contents).version;

/**
 * A shell, mfe-blocks and mfe-partners are live. Version 1 of mfe-partners renders with the first shell and no other.
 */
describe('a remote that fails on purpose', () => {
  const registry = forEachTest(createHarness);
  beforeEach(async () => {
    await registry.startSite();
    failWhere(({ isPartners, onShell, remote }) => isPartners && remote === 1 && onShell !== 1);
    await registry.publish(shell(2), { query: '?live-checks=defer' });
  });

  interface Rendering {
    isPartners: boolean;
    remote: number;
    onShell: number;
  }
  const readContents = (bundle: Uint8Array) =>
    Number(/server (\d+)/.exec(Buffer.from(bundle).toString())?.[1]);

  function failWhere(fails: (rendering: Rendering) => boolean): void {
    const { composer } = registry;
    composer.meanwhile = () => {
      const request = composer.requests.at(-1);
      const isPartners = request?.app === 'mfe-partners';
      if (
        !request ||
        !fails({ isPartners, remote: readContents(request.remote), onShell: readContents(request.shell) })
      ) {
        return Promise.resolve();
      }
      const place = { app: request.app, path: '/partners', variant: null };
      return Promise.reject(new ComposeError('compose_page_failed', place, 'fails because it can'));
    };
  }

  const post = (path: string, body: object, sent: object = {}) =>
    registry.send<ChangeAnswer & Failed>('POST', `/v1/channels/production/${path}`, {
      body: { reason: 'a test', ...body },
      ...sent,
    });
  const refusal = ({ status, body }: { status: number; body: Failed }) => [status, body.errors[0]?.code];
  const live = async () =>
    (await registry.send<ChannelAnswer>('GET', '/v1/channels/production')).body.release;
  const newShell = (more: object = {}) => post('releases', { apps: { shell: version(2) }, ...more });
  const withoutPartners = { without: ['mfe-partners'] };

  test('does not block a release of the shell: ops release it without the remote', async () => {
    const refused = await newShell();
    expect(refusal(refused)).toEqual([422, 'page_not_rendered']);
    expect(refused.body.errors[0]?.detail).toMatch(/mfe-partners@.*--without <app>/);

    const { status, body } = await newShell(withoutPartners);
    expect(status).toBe(201);
    expect(body.changes).toEqual([
      { app: 'mfe-partners', from: version(1), to: null },
      { app: 'shell', from: version(1), to: version(2) },
    ]);
    expect(await live()).toMatchObject({
      apps: { shell: version(2), 'mfe-blocks': version(1) },
      leftOut: { 'mfe-partners': version(1) },
    });
    expect((await live())?.apps).not.toHaveProperty('mfe-partners');
    const { body: audit } = await registry.send<{ events: { action: string; details: object }[] }>(
      'GET',
      '/v1/audit?limit=1',
    );
    expect(audit.events[0]).toMatchObject({ action: 'release.activate', details: { changes: body.changes } });
    const { body: history } = await registry.send<{ releases: { id: string; changes: object[] }[] }>(
      'GET',
      '/v1/channels/production/releases?app=mfe-partners',
    );
    expect(history.releases[0]).toMatchObject({ id: 'r2', changes: body.changes });
  });

  test('does not block a new configuration', async () => {
    failWhere(({ isPartners }) => isPartners);
    const config = { ...siteConfig, origin: 'https://moved.test' };
    expect(refusal(await post('releases', { apps: {}, config }))).toEqual([422, 'page_not_rendered']);
    expect((await post('releases', { apps: {}, config, ...withoutPartners })).status).toBe(201);
    expect((await live())?.config.origin).toBe('https://moved.test');
  });

  test('stays left out when others change, and returns with a regular activation of a version that renders', async () => {
    await newShell(withoutPartners);
    await registry.publish(remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents: 2 }));
    await post('releases', { apps: { 'mfe-blocks': version(2) } });
    expect((await live())?.leftOut).toEqual({ 'mfe-partners': version(1) });
    expect(refusal(await post('releases', { apps: { 'mfe-partners': version(1) } }))).toEqual([
      422,
      'page_not_rendered',
    ]);

    await registry.publish(partners(2));
    await post('releases', { apps: { 'mfe-partners': version(2) } });
    expect((await live())?.apps['mfe-partners']).toBe(version(2));
    expect(await live()).not.toHaveProperty('leftOut');
  });

  test('returns when the shell is rolled back, without rendering', async () => {
    await newShell(withoutPartners);
    registry.composer.requests.length = 0;
    const { body } = await post('rollbacks', { app: 'shell' });
    expect(body.release).toMatchObject({
      apps: { shell: version(1), 'mfe-blocks': version(1), 'mfe-partners': version(1) },
    });
    expect(body.release).not.toHaveProperty('leftOut');
    expect(registry.composer.requests).toEqual([]);
  });

  test('does not return with it while it is quarantined', async () => {
    await newShell(withoutPartners);
    await registry.send('POST', `/v1/apps/mfe-partners/versions/${version(1)}/quarantines`, {
      body: { reason: 'it fails on purpose' },
    });
    await post('rollbacks', { app: 'shell' });
    expect((await live())?.apps).not.toHaveProperty('mfe-partners');
  });

  const freeze = (body: object) =>
    registry.send('POST', '/v1/channels/production/freezes', {
      body: { reason: 'it fails on purpose', ...body },
    });

  test.each([
    ['it', { app: 'mfe-partners' }],
    ['everything', {}],
  ])('does not return with it while %s is frozen', async (_what, body) => {
    await newShell(withoutPartners);
    await freeze(body);
    expect((await post('rollbacks', { app: 'shell' })).status).toBe(201);
    expect(await live()).toMatchObject({
      apps: { shell: version(1) },
      leftOut: { 'mfe-partners': version(1) },
    });
  });

  test('does not return with it if it is frozen during the rollback', async () => {
    await newShell(withoutPartners);
    const { store } = registry;
    const { has } = store;
    let isFrozen = false;
    // The rollback checks the store after it has decided which remotes return.
    store.has = async (integrity) => {
      if (!isFrozen) {
        isFrozen = true;
        await freeze({ app: 'mfe-partners' });
      }
      return has(integrity);
    };
    expect((await post('rollbacks', { app: 'shell' })).status).toBe(201);
    expect([isFrozen, (await live())?.apps['mfe-partners']]).toEqual([true, undefined]);
  });

  test.each(['releases', 'timeline'])('can be retired while left out, as its %s shows', async (list) => {
    await newShell(withoutPartners);
    const { status, body } = await post('retirements', { app: 'mfe-partners' });
    expect(status).toBe(201);
    const listed = await registry.send('GET', `/v1/channels/production/${list}?app=mfe-partners&limit=1`);
    expect(listed.body).toMatchObject({
      releases: [{ id: body.release.id, changes: [], retirements: [{ app: 'mfe-partners', is: 'retired' }] }],
    });
  });

  test('can be rolled back while left out: the left-out version is quarantined and replaced by the previous one', async () => {
    failWhere(({ isPartners, remote, onShell }) => isPartners && remote === 2 && onShell !== 1);
    await registry.publish(partners(2));
    await post('releases', { apps: { 'mfe-partners': version(2) } });
    await newShell(withoutPartners);
    const { status, body } = await post('rollbacks', { app: 'mfe-partners' });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      quarantined: { app: 'mfe-partners', version: version(2) },
      release: { apps: { shell: version(2), 'mfe-partners': version(1) } },
    });
  });

  test('does not block a rollback of the shell: ops roll it back without the remote', async () => {
    // Version 2 of the remote needs the new shell, in fact and by declaration.
    await registry.publish(shell(3, { provides: { react: '19.4.0' } }), { query: '?live-checks=defer' });
    await registry.publish(partners(2, { requires: { react: '>=19.4.0' } }), { query: '?live-checks=defer' });
    failWhere(({ isPartners, onShell }) => isPartners && onShell !== 3);
    await post('releases', { apps: { shell: version(3), 'mfe-partners': version(2) } });

    expect(refusal(await post('rollbacks', { app: 'shell' }))).toEqual([409, 'no_good_version']);
    expect(refusal(await post('rollbacks', { app: 'shell', to: version(1) }))).toEqual([409, 'range_unmet']);
    const { status, body } = await post('rollbacks', { app: 'shell', ...withoutPartners });
    expect(status).toBe(201);
    expect(body.release).toMatchObject({
      apps: { shell: version(1), 'mfe-blocks': version(1) },
      leftOut: { 'mfe-partners': version(2) },
    });
    expect(body.quarantined).toEqual({ app: 'shell', version: version(3) });
  });

  test('keeps its paths while left out: others can neither publish nor activate a page there', async () => {
    const squatter = remoteManifest('mfe-squatter', { paths: ['/partners'] });
    await registry.send('POST', '/v1/apps/mfe-partners/changes', {
      body: { paths: ['/partners-elsewhere'], reason: 'the page is to move' },
    });
    await registry.publish(squatter, { query: '?live-checks=defer' });
    await newShell(withoutPartners);
    const taken = await registry.publish(
      remoteManifest('mfe-squatter', { paths: ['/partners'], contents: 2 }),
    );
    expect(refusal(taken)).toEqual([409, 'path_taken']);
    expect(refusal(await post('releases', { apps: { 'mfe-squatter': squatter.version } }))).toEqual([
      409,
      'path_taken',
    ]);
  });

  test('can be left out only by ops; the shell, unknown apps and apps in a canary cannot', async () => {
    const byTeam = { as: 'activator' };
    const asked = { apps: { 'mfe-blocks': version(1) }, ...withoutPartners };
    expect(refusal(await post('releases', asked, byTeam))).toEqual([403, 'scope_missing']);
    expect(refusal(await post('rollbacks', { app: 'mfe-blocks', ...withoutPartners }, byTeam))).toEqual([
      403,
      'scope_missing',
    ]);
    expect(refusal(await post('releases', { apps: {}, without: ['mfe-nothing'] }))).toEqual([
      404,
      'app_unknown',
    ]);
    for (const body of [
      { apps: {}, without: ['shell'] },
      { apps: { 'mfe-partners': version(1) }, ...withoutPartners },
      { apps: { shell: version(2) }, share: 10, ...withoutPartners },
    ]) {
      expect((await post('releases', body)).status).toBeGreaterThanOrEqual(400);
    }
    expect((await live())?.id).toBe('r1');
  });
});
