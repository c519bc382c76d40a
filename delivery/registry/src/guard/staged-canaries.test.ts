import { sql } from 'kysely';
import type { ChannelAnswer } from '@site/contract';
import type { AnswerOf } from '@site/contract/registry-calls/call';
import type { guardCalls } from '@site/contract/registry-calls/guard.calls';
import type { Database } from '@site/server/open-database';
import { isAnyoneWaiting } from '@site/server/testing/is-anyone-waiting';
import { forEachTest } from '@site/server/testing/for-each-test';
import { lockChannel } from '../kernel/locks.ts';
import { listStages, moveStage, noteStage } from '../signals/stage.repository.ts';
import { createHarness, siteConfig, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';
import { makeCell, testEdge, type TestEdge } from '../testing/signals.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { raiseCanaries } from './raise-canary.ts';
import { MINUTE_MS } from '@site/server/durations';
import { waitFor } from '@site/server/testing/wait-for';

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });
const [live, canary] = [blocks(1).version, blocks(2).version];

let registry: Harness;
let edge: TestEdge;

/** A canary of mfe-blocks for 1 %, then 10 %, then everyone, every ten minutes. */
async function makeSite(database: Database): Promise<Harness> {
  registry = await createHarness(database);
  await registry.once('a version for stages', async () => {
    await registry.startSite();
    await registry.publish(blocks(2));
  });
  edge = testEdge(registry);
  await start({ shares: [10, 100], everyMinutes: 10 });
  await registry.look();
  return registry;
}

const start = (stages: object, share: number | undefined = 1) =>
  registry.activate({ 'mfe-blocks': canary }, { share, stages });
const post = (path: string, body: object) =>
  registry.send('POST', `/v1/channels/production/${path}`, { body: { reason: 'a test', ...body } });
const channel = async () => (await registry.send<ChannelAnswer>('GET', '/v1/channels/production')).body;
const share = async () => (await channel()).canaries[0]?.share;
const stages = async () =>
  (await registry.send<AnswerOf<(typeof guardCalls)['readGuard']>>('GET', '/v1/channels/production/guard'))
    .body.stages[0];

async function pass(minutes: number): Promise<void> {
  registry.clock.now = new Date(registry.clock.now.getTime() + minutes * MINUTE_MS);
  await registry.look();
}

/** Reports of `views` visitors of the canary, and more of the live version. */
async function visitors(views: number, faults = 0): Promise<void> {
  await edge.tell([
    makeCell({ app: 'shell', version: '1.0.0-000000000001', role: 'canary', views }),
    makeCell({ app: 'mfe-blocks', version: canary, role: 'canary', views, faults }),
    makeCell({ app: 'mfe-blocks', version: live, views: views * 10 }),
  ]);
}

describe('a staged canary', () => {
  forEachTest(makeSite);

  test('is shown to more and more visitors, and finally to everyone', async () => {
    await visitors(150);
    await pass(9);
    expect(await share()).toBe(1);
    await pass(1);
    expect(await share()).toBe(10);
    expect(await stages()).toMatchObject({ share: 10, shares: [100] });
    await visitors(150);
    await pass(9);
    expect(await share()).toBe(10);
    await pass(1);
    const { canaries, release } = await channel();
    expect(canaries).toEqual([]);
    expect(release).toMatchObject({ kind: 'promote', by: 'guard', apps: { 'mfe-blocks': canary } });
    await registry.look();
    expect(await stages()).toBeUndefined();
  });

  test('pauses with too few visitors, reports it, and continues when there are enough', async () => {
    await visitors(20);
    await pass(30);
    expect(await share()).toBe(1);
    expect(await stages()).toMatchObject({
      share: 1,
      shares: [10, 100],
      everyMinutes: 10,
      says: '80 more views with this share are needed',
    });
    await visitors(80);
    await registry.look();
    expect(await share()).toBe(10);
  });

  test('is not promoted before it is good, reports what is missing, and can be promoted manually', async () => {
    await visitors(100);
    await pass(10);
    expect(await share()).toBe(10);
    await visitors(100);
    await pass(10);
    expect(await share()).toBe(10);
    expect((await stages())?.says).toMatch(
      /^everyone gets it when its verdict is good, which still takes at least \d+ more views, or when a person promotes it \("npx @site\/cli promote"\)$/,
    );
    await post('promotions', {});
    expect(await channel()).toMatchObject({ canaries: [], release: { apps: { 'mfe-blocks': canary } } });
  });

  test('of only the configuration is promoted with enough visitors', async () => {
    await post('aborts', {});
    const config = { ...siteConfig, gateway: { ...siteConfig.gateway, appId: 'other' } };
    const stages = { shares: [10, 100], everyMinutes: 10 };
    await registry.activate({}, { config, share: 1, stages });
    await registry.look();
    const come = (views: number) =>
      edge.tell([makeCell({ app: 'shell', version: '1.0.0-000000000001', role: 'canary', views })]);
    const shell = shellManifest({ contents: 2 });
    await registry.publish(shell);
    await registry.activate({ shell: shell.version }, { share: 50 });
    await come(200);
    await pass(10);
    // These may be the views of the shell's canary.
    expect((await channel()).canaries).toMatchObject([{ app: 'config', share: 1 }, { app: 'shell' }]);
    await post('aborts', { app: 'shell' });
    await come(100);
    await pass(10);
    await come(100);
    await pass(10);
    expect(await channel()).toMatchObject({ canaries: [], release: { kind: 'promote' } });
  });

  test('is ended if its visitors have faults', async () => {
    await visitors(200, 150);
    await pass(10);
    expect(await channel()).toMatchObject({ canaries: [], release: { apps: { 'mfe-blocks': live } } });
    await registry.look();
    expect(await stages()).toBeUndefined();
  });

  describe('with a page that the live version does not have', () => {
    const withNew = remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/new'], contents: 9 });
    beforeEach(async () => {
      await post('aborts', {});
      await registry.publish(withNew);
      const stages = { shares: [10, 100], everyMinutes: 10 };
      await registry.activate({ 'mfe-blocks': withNew.version }, { share: 1, stages });
      await registry.look();
    });

    const visit = (faults: number) =>
      edge.tell([
        makeCell({ app: 'shell', version: '1.0.0-000000000001', role: 'canary', views: 150 }),
        makeCell({
          app: 'mfe-blocks',
          version: withNew.version,
          role: 'canary',
          route: '/blocks/new',
          views: 150,
          faults,
        }),
        makeCell({ app: 'mfe-blocks', version: live, views: 1_000 }),
      ]);

    test('is ended if that page fails for everyone', async () => {
      await visit(150);
      await pass(10);
      expect(await channel()).toMatchObject({ canaries: [], release: { apps: { 'mfe-blocks': live } } });
    });

    test('pauses if it fails for some, and reports it', async () => {
      await visit(60);
      await pass(10);
      expect(await share()).toBe(1);
      expect((await stages())?.says).toBe('something looks bad, and more visitors have to show it');
    });

    test('continues if it does not fail', async () => {
      await visit(0);
      await pass(10);
      expect(await share()).toBe(10);
    });
  });

  test('of a new app pauses while it fails', async () => {
    await post('aborts', {});
    const app = remoteManifest('mfe-new', { paths: ['/new'] });
    await registry.publish(app);
    const stages = { shares: [10, 100], everyMinutes: 10 };
    await registry.activate({ 'mfe-new': app.version }, { share: 1, stages });
    await registry.look();
    await edge.tell([
      makeCell({ app: 'shell', version: '1.0.0-000000000001', role: 'canary', views: 150 }),
      makeCell({
        app: 'mfe-new',
        version: app.version,
        role: 'canary',
        route: '/new',
        views: 150,
        faults: 60,
      }),
    ]);
    await pass(10);
    expect(await share()).toBe(1);
  });

  test('of a new app is promoted after many views without a fault, which prove it good', async () => {
    await post('aborts', {});
    const app = remoteManifest('mfe-new', { paths: ['/new'] });
    await registry.publish(app);
    await registry.activate(
      { 'mfe-new': app.version },
      { share: 1, stages: { shares: [10, 100], everyMinutes: 10 } },
    );
    await registry.look();
    const come = (views: number) =>
      edge.tell([
        makeCell({ app: 'shell', version: '1.0.0-000000000001', role: 'canary', views }),
        makeCell({ app: 'mfe-new', version: app.version, role: 'canary', route: '/new', views }),
      ]);
    for (const views of [100, 100]) {
      await come(views);
      await pass(10);
    }
    expect(await share()).toBe(10);
    await come(150);
    await registry.look();
    expect(await channel()).toMatchObject({
      canaries: [],
      release: { apps: { 'mfe-new': app.version } },
    });
  });

  test('pauses while it fails in every view for a few of its networks', async () => {
    for (let batch = 0; batch < 30; batch++)
      await edge.tell([
        makeCell({ app: 'shell', version: '1.0.0-000000000001', role: 'canary', views: 30 }),
        makeCell({ app: 'mfe-blocks', version: canary, role: 'canary', views: 30, faults: 3 }),
        makeCell({ app: 'mfe-blocks', version: live, views: 300 }),
      ]);
    await pass(10);
    expect(await share()).toBe(1);
  });

  test('respects a freeze, reports it, and continues when it is lifted', async () => {
    await visitors(150);
    await post('freezes', {});
    await pass(10);
    expect(await share()).toBe(1);
    expect((await stages())?.says).toMatch(/frozen by olivia/);
    await post('unfreezes', {});
    await registry.look();
    expect(await share()).toBe(10);
  });

  test("restarts the stage's time after a manual change of the share", async () => {
    await visitors(150);
    await pass(9);
    await post('canary', { share: 5 });
    await pass(1);
    await visitors(150);
    await pass(9);
    expect(await share()).toBe(5);
    await pass(1);
    expect(await share()).toBe(10);
  });

  test('is raised once by concurrent registries', async () => {
    await visitors(150);
    registry.clock.now = new Date(registry.clock.now.getTime() + 10 * MINUTE_MS);
    await Promise.all([registry.look(), registry.look(), registry.look()]);
    const { body } = await registry.send<{ events: { action: string }[] }>('GET', '/v1/audit');
    expect(body.events.filter(({ action }) => action === 'canary.share')).toHaveLength(1);
    expect(await share()).toBe(10);
  });

  test('keeps the stage that another registry starts between two reads', async () => {
    await visitors(20);
    await registry.look();
    const db = registryTables(registry);
    const context = { db, now: () => registry.clock.now } as unknown as RegistryContext;
    const began = new Date(registry.clock.now.getTime() + MINUTE_MS);
    const raised = { basis_points: 1000, since: began, views: 77, says: 'it has begun' };
    let looking: Promise<void> | undefined;
    await db.transaction().execute(async (transaction) => {
      await sql`lock table registry.channels in access exclusive mode`.execute(transaction);
      looking = raiseCanaries(context, 'production', () => undefined);
      await waitFor(() => isAnyoneWaiting(transaction));
      await transaction.updateTable('canaries').set({ basis_points: 1000 }).execute();
      await transaction.updateTable('canary_stages').set(raised).execute();
    });
    await looking;
    const after = await db.selectFrom('canary_stages').selectAll().execute();
    expect(after).toMatchObject([raised]);
  });

  test('a stage that has changed since it was read is not overwritten', async () => {
    const db = registryTables(registry);
    const [read] = await listStages(db, 'production');
    if (!read) throw new Error('The canary has no stages.');
    const at = new Date(registry.clock.now.getTime() + MINUTE_MS);
    const next = { basisPoints: 1000, since: at, says: 'it has begun' };
    expect(await moveStage(db, 'production', read, next)).toBe(true);
    expect(await moveStage(db, 'production', read, { ...next, basisPoints: 500 })).toBe(false);
    await noteStage(db, 'production', read, 'too few views');
    expect(await listStages(db, 'production')).toMatchObject([next]);
  });

  test('does not override a concurrent manual change', async () => {
    await visitors(150);
    registry.clock.now = new Date(registry.clock.now.getTime() + 10 * MINUTE_MS);
    const db = registryTables(registry);
    let looking: Promise<void> | undefined;
    await db.transaction().execute(async (transaction) => {
      await lockChannel(transaction, 'production');
      looking = registry.look();
      await waitFor(() => isAnyoneWaiting(db));
      await transaction.updateTable('canaries').set({ basis_points: 300 }).execute();
    });
    await looking;
    expect(await share()).toBe(3);
  });

  test('is not shown to more visitors if it is concurrently found bad', async () => {
    await visitors(150);
    registry.clock.now = new Date(registry.clock.now.getTime() + 10 * MINUTE_MS);
    const db = registryTables(registry);
    let looking: Promise<void> | undefined;
    await db.transaction().execute(async (transaction) => {
      await lockChannel(transaction, 'production');
      looking = registry.look();
      await waitFor(() => isAnyoneWaiting(db));
      await visitors(150, 100);
    });
    await looking;
    expect(await share()).toBe(1);
    await registry.look();
    expect((await channel()).canaries).toEqual([]);
  });

  test('ended manually does not affect the next canary', async () => {
    await post('aborts', {});
    await registry.activate({ 'mfe-blocks': canary }, { share: 2 });
    await pass(1);
    await visitors(500);
    await pass(60);
    expect(await share()).toBe(2);
  });

  test('with shares that do not rise, or without a first one, is rejected', async () => {
    await post('aborts', {});
    for (const shares of [[50, 10], [1, 10], [], [101], [10, 10]]) {
      expect((await start({ shares, everyMinutes: 10 })).status).toBe(422);
    }
    expect((await start({ shares: [10], everyMinutes: 0 })).status).toBe(422);
    const { status } = await registry.activate(
      { 'mfe-blocks': canary },
      { stages: { shares: [10], everyMinutes: 10 } },
    );
    expect(status).toBe(422);
  });
});
