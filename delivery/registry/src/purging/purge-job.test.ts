import Fastify from 'fastify';
import type { ChannelAnswer } from '@site/contract';
import type { AlertHooks } from '@site/contract/registry-calls/alert.calls';
import type { Database } from '@site/server/open-database';
import { databases } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { waitFor } from '@site/server/testing/wait-for';
import { createRegistryApp } from '../create-registry-app.ts';
import { startAlertReceiver, type AlertReceiver } from '../testing/alert-receiver.ts';
import { createHarness, registryTables, siteConfig, testAuditKey, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';
import { saveCaches } from '../kernel/cache.repository.ts';
import { readCaches, type Cache } from './caches.ts';
import { keepPurging } from './purge-job.ts';

const SECOND_MS = 1_000;
const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

let registry: Harness;
let receiver: AlertReceiver;
let caches: Cache[];

async function make(database: Database): Promise<{ stop(): Promise<void> }> {
  receiver = await startAlertReceiver();
  caches = readCaches(
    { production: [`webhook:${receiver.url}/secret-path`], staging: [] },
    { PURGE_WEBHOOK_KEY: `whsec_${Buffer.alloc(32, 'k').toString('base64')}` },
  );
  registry = await createHarness(database, undefined, {}, { caches });
  return {
    async stop() {
      await registry.stop();
      await receiver.stop();
    },
  };
}

const advance = (ms: number) => void (registry.clock.now = new Date(registry.clock.now.getTime() + ms));
const report = async (release: string | null, canaries: object[] = []) =>
  (
    await registry.send<{ purges: boolean }>('PUT', '/v1/edges/edge-1', {
      as: 'edge',
      body: { channel: 'production', release, canaries },
    })
  ).body.purges;
const purged = () => receiver.received.map(({ body }) => body.data?.['keys'] as string[]);
const arrived = (count: number) => waitFor(() => expect(purged()).toHaveLength(count));
const cachesNow = async () =>
  (await registry.send<ChannelAnswer>('GET', '/v1/channels/production')).body.caches;
const state = (waiting: number, problem: string | null = null) => [
  { name: `webhook ${new URL(receiver.url).host}`, waiting, problem },
];
const confirmed = () => waitFor(async () => expect(await cachesNow()).toEqual(state(0)));

/** The site is live, its edge serves it, and nothing waits. */
async function start(): Promise<void> {
  await registry.startSite();
  // The harness may have restored rows without them.
  await saveCaches(registryTables(registry), caches);
  await report('r1');
  await confirmed();
  advance(3 * SECOND_MS);
  await registry.look();
  receiver.received.length = 0;
}

async function activate(contents: number, more: object = {}) {
  await registry.publish(blocks(contents));
  const { status, body } = await registry.activate({ 'mfe-blocks': blocks(contents).version }, more);
  expect([status, body.errors]).toEqual([201, undefined]);
  return body;
}

function gate() {
  let resolve = () => {};
  const promise = new Promise<void>((done) => void (resolve = done));
  return { promise, resolve: () => resolve() };
}

/** Another registry of the database, which pauses after it has listed purges. */
async function startPausingRegistry() {
  const pause = gate();
  const listed = gate();
  let look = () => Promise.resolve();
  const app = Fastify();
  const db = registryTables(registry).withPlugin({
    transformQuery: ({ node }) => node,
    async transformResult({ result }) {
      if (!result.rows.some((row) => 'confirmedAt' in row)) return result;
      listed.resolve();
      await pause.promise;
      return result;
    },
  });
  await keepPurging(
    app,
    { db, now: () => registry.clock.now },
    {
      caches,
      database: { listen: () => Promise.resolve(() => Promise.resolve()) },
      lookAgain(given) {
        look = given;
        return () => Promise.resolve();
      },
    },
  );
  return {
    look: () => look(),
    listed: listed.promise,
    resume: () => pause.resolve(),
    stop: () => app.close(),
  };
}

describe.each(databases)('purges, on $name', ({ start: open }) => {
  forEachTest(make, open);

  test('wait until every edge serves the change, name the changed app, and are repeated once', async () => {
    await start();
    await activate(2);
    await registry.look();
    expect(await cachesNow()).toEqual(state(1));
    expect(purged()).toEqual([]);
    await report('r2');
    await confirmed();
    expect(purged()).toEqual([['site:table', 'mfe-blocks']]);
    await registry.look();
    expect(purged()).toHaveLength(1);
    // A response of the old release may have been on its way into the cache.
    advance(3 * SECOND_MS);
    await registry.look();
    expect(purged()).toEqual([purged()[0], purged()[0]]);
    advance(60 * SECOND_MS);
    await registry.look();
    expect(purged()).toHaveLength(2);
  });

  test('happen when a canary starts, when it ends, and when a version is rolled back', async () => {
    await start();
    await activate(2, { share: 10 });
    await report('r1', [{ release: 'r2', app: 'mfe-blocks', share: 10 }]);
    await confirmed();
    await registry.send('POST', '/v1/channels/production/aborts', { body: { reason: 'a test' } });
    await report('r1');
    await confirmed();
    await activate(3);
    await report('r3');
    await confirmed();
    const { body } = await registry.rollBack({ app: 'mfe-blocks' });
    await report(body.release.id);
    await confirmed();
    expect(purged()).toEqual(Array.from({ length: 4 }, () => ['site:table', 'mfe-blocks']));
  });

  test('of another configuration concern every page', async () => {
    await start();
    const config = { ...siteConfig, gateway: { ...siteConfig.gateway, appId: 'another' } };
    expect((await registry.activate({}, { config })).status).toBe(201);
    await report('r2');
    await confirmed();
    expect(purged()).toEqual([['site:table', 'site:config']]);
  });

  test('happen early if an edge does not follow within a second, and are confirmed when it does or is silent', async () => {
    await start();
    await activate(2);
    advance(SECOND_MS);
    await registry.look();
    await arrived(1);
    expect(await cachesNow()).toEqual(state(1));
    advance(15 * SECOND_MS);
    await registry.look();
    await confirmed();
    expect(purged()).toHaveLength(2);
  });

  test('are retried after a failure, which is an alert', async () => {
    await start();
    const hook = await startAlertReceiver();
    await registry.send('POST', '/v1/alert-hooks', { body: { url: hook.url, kinds: ['cache'] } });
    const slowDown = { status: 429, retryAfter: '40', answer: 'slow down' };
    receiver.manners = [slowDown, slowDown, 200];
    await activate(2);
    await report('r2');
    const problem = 'It answered 429: slow down.';
    await waitFor(async () => expect(await cachesNow()).toEqual(state(1, problem)));
    advance(29 * SECOND_MS);
    expect(await report('r2')).toBe(false);
    await registry.look();
    expect(purged()).toHaveLength(1);
    advance(SECOND_MS);
    await registry.look();
    expect(purged()).toHaveLength(2);
    await registry.look();
    const { body } = await registry.send<AlertHooks>('GET', '/v1/alert-hooks');
    expect(body.troubles.map(({ kind, says }) => [kind, says.includes(problem)])).toEqual([['cache', true]]);
    expect(JSON.stringify(body.troubles)).not.toContain('secret-path');
    await waitFor(() => expect(hook.received).toHaveLength(1));
    advance(30 * SECOND_MS);
    await report('r2');
    await registry.look();
    await confirmed();
    await registry.look();
    await waitFor(() => expect(hook.received).toHaveLength(2));
    await hook.stop();
  });

  test('survive the end of the registry', async () => {
    await start();
    receiver.manners = ['close'];
    await activate(2);
    await report('r2');
    await waitFor(async () => expect((await cachesNow())?.[0]?.problem).toContain('could not be reached'));
    receiver.manners = [200];
    receiver.received.length = 0;
    advance(60 * SECOND_MS);
    let look = () => Promise.resolve();
    const next = await createRegistryApp({
      database: registry.database,
      store: registry.store,
      composer: registry.composer,
      auditKey: testAuditKey,
      caches,
      now: () => registry.clock.now,
      lookAgain(given) {
        look = given;
        return () => Promise.resolve();
      },
    });
    await next.ready();
    await look();
    expect(purged()).toEqual([['site:table', 'mfe-blocks']]);
    await confirmed();
    await next.close();
  });

  test('are repeated once also if two registries find the same ones', async () => {
    await start();
    const other = await startPausingRegistry();
    await activate(2);
    const looked = other.look();
    await other.listed;
    await report('r2');
    await confirmed();
    other.resume();
    await looked;
    expect(purged()).toHaveLength(1);
    advance(3 * SECOND_MS);
    await registry.look();
    expect(purged()).toHaveLength(2);
    await other.stop();
  });

  test('of a newer change do not wait for the next attempt of a failed one', async () => {
    await start();
    receiver.manners = ['close', 200];
    await activate(2);
    await report('r2');
    await waitFor(async () => expect((await cachesNow())?.[0]?.problem).toContain('could not be reached'));
    await activate(3);
    await report('r3');
    await confirmed();
    expect(purged()).toHaveLength(2);
  });

  test('are due immediately if a change is made while an attempt fails', async () => {
    await start();
    receiver.manners = ['close', 200];
    const { promise, resolve } = gate();
    receiver.onArrival = () => promise;
    await activate(2);
    await report('r2');
    await arrived(1);
    await activate(3);
    await report('r3');
    resolve();
    await confirmed();
  });

  test('are retried within half a minute, however often they have failed, and when a registry starts', async () => {
    await start();
    receiver.manners = ['close'];
    await activate(2);
    for (let failures = 1; failures <= 8; failures += 1) {
      await report('r2');
      await registry.look();
      await waitFor(() => expect(purged()).toHaveLength(failures));
      advance(30 * SECOND_MS);
    }
    await report('r2');
    await registry.look();
    expect(purged()).toHaveLength(9);
    receiver.manners = [200];
    await saveCaches(registryTables(registry), caches);
    await registry.look();
    await confirmed();
  });

  test('of one cache do not wait for another', async () => {
    await registry.startSite();
    const other = await startAlertReceiver();
    caches = readCaches(
      { production: [receiver, other].map(({ url }) => `webhook:${url}`), staging: [] },
      { PURGE_WEBHOOK_KEY: `whsec_${Buffer.alloc(32, 'k').toString('base64')}` },
    );
    await registry.stop();
    registry = await createHarness(registry.database, undefined, {}, { caches });
    await registry.startSite();
    await saveCaches(registryTables(registry), caches);
    await report('r1');
    const stateOf = async ({ url }: AlertReceiver) =>
      (await cachesNow())?.find(({ name }) => url.endsWith(name.replace('webhook ', '')));
    const idle = { waiting: 0, problem: null };
    for (const cache of [receiver, other])
      await waitFor(async () => expect(await stateOf(cache)).toMatchObject(idle));
    receiver.manners = ['hang'];
    for (const [contents, waiting] of [
      [2, 1],
      [3, 2],
    ] as const) {
      await activate(contents);
      await report(`r${contents}`);
      await waitFor(async () => expect(await stateOf(other)).toMatchObject(idle));
      expect(await stateOf(receiver)).toMatchObject({ waiting, problem: null });
    }
    await other.stop();
  });

  test('leave the cache to other registries when a registry ends', async () => {
    await start();
    receiver.manners = ['hang'];
    await activate(2);
    await report('r2');
    await arrived(1);
    await registry.app.close();
    const leases = await registryTables(registry).selectFrom('caches').select('leased_until').execute();
    expect(leases).toEqual([{ leased_until: null }]);
  });

  test('of a recovery concern every page', async () => {
    await start();
    await registry.send('PUT', '/v1/edges/edge-1', {
      as: 'edge',
      body: { channel: 'production', release: 'r9', digest: 'a'.repeat(64), canaries: [] },
    });
    const { body } = await registry.send<{ changed: boolean }>('POST', '/v1/recoveries', {
      body: { reason: 'a test' },
    });
    expect(body.changed).toBe(true);
    await report('r1');
    await confirmed();
    expect(purged()).toEqual([['site:config', 'site:table']]);
  });

  test('allow caching for a day only while the edge serves the current state', async () => {
    await registry.startSite();
    await saveCaches(registryTables(registry), []);
    expect(await report('r1')).toBe(false);
    await saveCaches(registryTables(registry), caches);
    expect(await report('r1')).toBe(true);
    await activate(2);
    expect(await report('r1')).toBe(false);
    expect(await report('r2')).toBe(true);
  });
});
