import type { ChangeAnswer, ChannelAnswer, ReleaseDocument } from '@site/contract';
import { forEachTest } from '@site/server/testing/for-each-test';
import { createHarness, siteConfig, registryTables } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { waitFor } from '@site/server/testing/wait-for';

type Failed = { errors: { code: string; detail: string }[] };

const blocks = (contents: number, more: object = {}) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents, ...more });
const version = (contents: number) => blocks(contents).version;

/** A shell, mfe-blocks (`/blocks`, `/blocks/auth`) and mfe-partners (`/partners`) are live: each has one version. */
describe('a retired app', () => {
  const registry = forEachTest(createHarness);
  beforeEach(() => registry.startSite());

  const post = (path: string, body: object, sent: object = {}) =>
    registry.send<ChangeAnswer & Failed>('POST', `/v1/channels/production/${path}`, {
      body: { reason: 'a test', ...body },
      ...sent,
    });
  const retire = (body: object = {}, sent: object = {}) =>
    post('retirements', { app: 'mfe-blocks', ...body }, sent);
  const refusal = ({ status, body }: { status: number; body: Failed }) => [status, body.errors[0]?.code];
  const detail = ({ body }: { body: Failed }) => body.errors[0]?.detail;
  const channel = async () => (await registry.send<ChannelAnswer>('GET', '/v1/channels/production')).body;
  const live = async () => (await channel()).release;
  const gone = { version: version(1), to: null, paths: ['/blocks', '/blocks/auth'] };

  test('is off the site, even with a single version, which a rollback could not remove', async () => {
    const refused = await registry.rollBack({ app: 'mfe-blocks' });
    expect(refusal(refused)).toEqual([409, 'no_good_version']);
    expect(detail(refused)).toContain('"npx @site/cli retire <app> --reason …"');
    const { status, body } = await retire({ to: '/partners#form', reason: 'unused' });
    expect([status, body]).toMatchObject([
      201,
      { changed: true, changes: [{ app: 'mfe-blocks', from: version(1), to: null }], links: [] },
    ]);
    expect(await live()).toMatchObject({ retired: { 'mfe-blocks': { ...gone, to: '/partners#form' } } });
    expect((await live())?.apps).not.toHaveProperty('mfe-blocks');
    const { body: document } = await registry.send<ReleaseDocument>(
      'GET',
      `/v1/releases/${body.release.id}/document`,
    );
    expect(Object.keys(document.rendered)).toEqual(['/partners']);
    expect(document.release.retired).toEqual({ 'mfe-blocks': { ...gone, to: '/partners#form' } });
    const audit = await registryTables(registry)
      .selectFrom('audit_events')
      .select(['action', 'details'])
      .orderBy('sequence', 'desc')
      .limit(1)
      .executeTakeFirst();
    expect(audit).toMatchObject({
      action: 'release.activate',
      details: { retired: { 'mfe-blocks': '/partners#form' }, reason: 'unused' },
    });
  });

  test('is gone without a target; repeating the request changes nothing', async () => {
    const first = await retire({}, { headers: { 'idempotency-key': 'k1' } });
    expect((await live())?.retired).toEqual({ 'mfe-blocks': gone });
    expect((await retire({}, { headers: { 'idempotency-key': 'k1' } })).body).toEqual(first.body);
    expect((await retire()).body.changed).toBe(false);
    // Another target makes another release.
    expect((await retire({ to: '/partners' })).body.changed).toBe(true);
    expect((await live())?.retired).toEqual({ 'mfe-blocks': { ...gone, to: '/partners' } });
  });

  test('is not retired if the site has changed since its author saw it', async () => {
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': version(2) });
    for (const dryRun of [true, false]) {
      const late = await retire({ ifLive: 'r1', dryRun });
      expect(refusal(late)).toEqual([409, 'parent_outdated']);
      expect(detail(late)).toContain(`"r2" by olivia is live (mfe-blocks ${version(1)} → ${version(2)})`);
    }
    expect((await live())?.id).toBe('r2');
    expect((await retire({ ifLive: 'r2' })).status).toBe(201);
  });

  test('a dry run changes nothing, and lists links to the app', async () => {
    const { body } = await retire({ dryRun: true });
    expect(body).toMatchObject({ changed: true, dryRun: true, links: [] });
    expect((await live())?.retired).toBeUndefined();
  });

  test('dry runs, which read every page, are queued fairly: too many of one token are rejected, and another token does not wait', async () => {
    const { store } = registry;
    const { get } = store;
    let open = () => {};
    const opened = new Promise<void>((resolve) => (open = resolve));
    let reading = 0;
    store.get = async (integrity) => {
      reading += 1;
      await opened;
      return get.call(store, integrity);
    };
    const dryRun = (as: 'ops' | 'activator') => retire({ dryRun: true }, { as });
    // One runs, ten wait.
    const many = Array.from({ length: 12 }, () => dryRun('ops'));
    const refused = await Promise.race(many);
    expect(refusal(refused)).toEqual([429, 'links_busy']);
    expect(detail(refused)).toContain('1 are under way and 10 are waiting, 10 of them yours.');
    await waitFor(() => expect(reading).not.toBe(0));
    const ofOne = reading;
    const others = dryRun('activator');
    await waitFor(() => expect(reading).toBeGreaterThanOrEqual(2 * ofOne));
    open();
    const statuses = (await Promise.all([...many, others])).map(({ status }) => status);
    expect(statuses.toSorted()).toEqual([...Array<number>(12).fill(200), 429]);
  });

  describe('while other pages link to it', () => {
    async function partnersLinkTo(href: string): Promise<void> {
      registry.composer.extraMarkup = () => `<a href="${href}">there</a>`;
      const partners = remoteManifest('mfe-partners', { contents: 2 });
      await registry.publish(partners);
      await registry.activate({ 'mfe-partners': partners.version });
    }

    test('is rejected with their names, and retired by a caller who confirms them', async () => {
      await partnersLinkTo('/blocks/auth/?from=partners#top');
      const links = [{ app: 'mfe-partners', path: '/partners', to: ['/blocks/auth'] }];
      const refused = await retire();
      expect(refusal(refused)).toEqual([409, 'links_remain']);
      expect(detail(refused)).toMatch(
        /^Live pages link to mfe-blocks: \/partners \(mfe-partners\) → \/blocks\/auth\..*add --yes/s,
      );
      expect((await live())?.retired).toBeUndefined();
      expect((await retire({ dryRun: true })).body.links).toEqual(links);
      expect((await retire({ despiteLinks: true })).body.links).toEqual(links);
      expect((await live())?.retired).toEqual({ 'mfe-blocks': gone });
    });

    test('links to remaining pages do not count', async () => {
      await partnersLinkTo('/blocks-of-others');
      expect((await retire()).status).toBe(201);
    });
  });

  test('is rejected for an app that is not live, and for a target that is not a page without it', async () => {
    expect(refusal(await retire({ app: 'mfe-nobody' }))).toEqual([404, 'app_unknown']);
    expect(refusal(await retire({ app: 'shell' }))).toEqual([422, 'body_invalid']);
    for (const to of ['/nowhere', '/blocks/auth']) {
      const refused = await retire({ to });
      expect(refusal(refused)).toEqual([422, 'target_unknown']);
      expect(detail(refused)).toMatch(new RegExp(`^Without mfe-blocks there is no live page "${to}"`));
    }
    expect((await live())?.retired).toBeUndefined();
  });

  test('can be retired by its team, not by another, and not during a freeze', async () => {
    expect(refusal(await retire({ app: 'mfe-partners' }, { as: 'activator' }))).toEqual([
      403,
      'scope_missing',
    ]);
    await post('freezes', { app: 'mfe-blocks' });
    expect(refusal(await retire({}, { as: 'activator' }))).toEqual([409, 'frozen']);
    await post('unfreezes', { app: 'mfe-blocks' });
    expect((await retire({}, { as: 'activator' })).status).toBe(201);
  });

  test('returns by a rollback: nothing is quarantined, and tabs leave the releases without it', async () => {
    const { release } = (await retire({ to: '/partners' })).body;
    const { status, body } = await registry.rollBack({ app: 'mfe-blocks' }, { as: 'activator' });
    expect([status, body]).toMatchObject([
      201,
      {
        changes: [{ app: 'mfe-blocks', from: null, to: version(1) }],
        putBack: { app: 'mfe-blocks', version: version(1) },
        revoked: [release.id],
      },
    ]);
    expect(body).not.toHaveProperty('quarantined');
    expect(await live()).toMatchObject({ kind: 'rollback', apps: { 'mfe-blocks': version(1) } });
    expect((await live())?.retired).toBeUndefined();
    expect((await channel()).state.revoked).toEqual([release.id]);
  });

  test('returns by a rollback even during a freeze, to a chosen version, and not in a dry run', async () => {
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': version(2) });
    await retire();
    await post('freezes', { app: 'mfe-blocks' });
    expect((await registry.rollBack({ app: 'mfe-blocks', dryRun: true })).body.changes).toEqual([
      { app: 'mfe-blocks', from: null, to: version(2) },
    ]);
    expect((await live())?.apps).not.toHaveProperty('mfe-blocks');
    const named = await registry.rollBack({ app: 'mfe-blocks', from: version(2) });
    expect(refusal(named)).toEqual([409, 'version_not_live']);
    expect(detail(named)).toMatch(/mfe-blocks is retired\. Name it without a version, and it comes back\./);
    await registry.rollBack({ app: 'mfe-blocks', to: version(1) });
    expect((await live())?.apps).toMatchObject({ 'mfe-blocks': version(1) });
  });

  test('returns once for two concurrent users: the restored version is not rolled back', async () => {
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': version(2) });
    await retire();
    const seen = { headers: { 'if-retired-version': version(2) } };
    const answers = [
      await registry.rollBack({ app: 'mfe-blocks' }, seen),
      await registry.rollBack({ app: 'mfe-blocks' }, seen),
    ];
    expect(answers.map(({ status }) => status)).toEqual([201, 409]);
    expect(answers[1]?.body.errors[0]).toMatchObject({
      code: 'version_not_live',
      detail: `mfe-blocks is not retired on "production" any more: mfe-blocks@${version(2)} is live. Nothing was changed. Check what is live ("npx @site/cli status"): someone may have rolled it back already.`,
    });
    expect((await live())?.apps).toMatchObject({ 'mfe-blocks': version(2) });
  });

  test('returns once, even if another user restores it during rendering', async () => {
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': version(2) });
    await retire();
    await registry.activate({}, { config: { ...siteConfig, origin: 'https://moved.test' } });
    let isFirst = true;
    registry.composer.meanwhile = async () => {
      if (!isFirst) return;
      isFirst = false;
      expect((await registry.rollBack({ app: 'mfe-blocks' })).status).toBe(201);
    };
    const late = await registry.rollBack({ app: 'mfe-blocks' });
    expect([isFirst, ...refusal(late)]).toEqual([false, 409, 'version_not_live']);
    expect((await live())?.apps).toMatchObject({ 'mfe-blocks': version(2) });
  });

  test('returns by an activation, and can be previewed before', async () => {
    await retire();
    await registry.publish(blocks(2));
    const link = await registry.send<{ url: string }>('POST', '/v1/previews', {
      body: { app: 'mfe-blocks', version: version(2) },
    });
    expect(link.status).toBe(201);
    await registry.activate({ 'mfe-blocks': version(2) });
    expect((await live())?.apps).toMatchObject({ 'mfe-blocks': version(2) });
    expect((await live())?.retired).toBeUndefined();
  });

  test('stays retired while others are released, rolled back and shown as a canary', async () => {
    await retire({ to: '/partners' });
    const partners = (contents: number) =>
      remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents });
    for (const contents of [2, 3]) await registry.publish(partners(contents));
    const retired = { 'mfe-blocks': { ...gone, to: '/partners' } };
    await registry.activate({ 'mfe-partners': partners(2).version });
    expect((await live())?.retired).toEqual(retired);
    await registry.activate({ 'mfe-partners': partners(3).version }, { share: 10 });
    expect((await channel()).canaries[0]?.release.retired).toEqual(retired);
    await post('promotions', {});
    await registry.rollBack({ app: 'mfe-partners' });
    expect(await live()).toMatchObject({ apps: { 'mfe-partners': partners(2).version }, retired });
  });

  test('during a canary of another app, which continues; its own canary must end first', async () => {
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': version(2) }, { share: 10 });
    const refused = await retire();
    expect(refusal(refused)).toEqual([409, 'canary_running']);
    await post('aborts', {});

    const partners = remoteManifest('mfe-partners', { variants: { headline: ['a', 'b'] }, contents: 2 });
    await registry.publish(partners);
    await registry.activate({ 'mfe-partners': partners.version }, { share: 10 });
    expect((await retire()).status).toBe(201);
    const { body } = await post('promotions', {});
    expect(body.release).toMatchObject({
      apps: { 'mfe-partners': partners.version },
      retired: { 'mfe-blocks': gone },
    });
    expect(body.release.apps).not.toHaveProperty('mfe-blocks');
  });

  test('in a canary again: a rollback then applies to the canary', async () => {
    await retire();
    await registry.publish(blocks(2));
    await registry.activate({ 'mfe-blocks': version(2) }, { share: 10 });
    expect((await registry.rollBack({ app: 'mfe-blocks' })).body).toMatchObject({
      quarantined: { app: 'mfe-blocks', version: version(2) },
    });
    expect(await live()).toMatchObject({ retired: { 'mfe-blocks': gone } });
    expect((await channel()).canaries).toEqual([]);
  });

  test('keeps its paths until ops reassign them', async () => {
    await retire();
    const squatter = remoteManifest('mfe-squatter', { paths: ['/blocks'] });
    expect(refusal(await registry.publish(squatter))).toEqual([409, 'path_reserved']);
    await registry.send('POST', '/v1/apps/mfe-blocks/changes', {
      body: { paths: ['/blocks/auth'], reason: 'given away' },
    });
    await registry.publish(squatter);
    expect((await registry.activate({ 'mfe-squatter': squatter.version })).status).toBe(201);
    expect(refusal(await registry.rollBack({ app: 'mfe-blocks' }))).toEqual([409, 'path_taken']);
  });

  test('is shown as retired where apps are listed', async () => {
    await retire({ to: '/partners' });
    const { body: overview } = await registry.send<{ apps: object[] }>(
      'GET',
      '/v1/channels/production/overview',
    );
    const retired = { ...gone, to: '/partners' };
    expect(overview.apps).toContainEqual(expect.objectContaining({ app: 'mfe-blocks', live: null, retired }));
    const { body: listed } = await registry.send<{ apps: object[] }>('GET', '/v1/channels/production/apps');
    expect(listed.apps).toContainEqual(expect.objectContaining({ app: 'mfe-blocks', live: null, retired }));
    expect(listed.apps).toContainEqual(expect.objectContaining({ app: 'mfe-partners', retired: null }));
  });
});
