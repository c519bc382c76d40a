import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { until } from '../e2e/harness/until.ts';
import { sampleConfig, startCluster, type Cluster } from './harness/cluster.ts';
import { measureFreshness, versionShown } from './harness/freshness.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { freePorts } from '@site/server/testing/free-ports';
import { hasVarnish, startVarnish, varnishKey } from './harness/varnish.ts';

const CHANNEL = '/v1/channels/production';

(hasVarnish ? describe : describe.skip)(
  'Varnish in front of the edges (skipped without it: apt-get install varnish varnish-modules)',
  () => {
    let cluster: Cluster;
    let url: string;
    beforeAll(async () => {
      cluster = await startCluster({ edgeCount: 2, varnish: true });
      url = cluster.varnish?.url ?? '';
    });
    afterAll(() => cluster.stop());

    const headersOf = async (path: string, headers: Record<string, string> = {}) =>
      Object.fromEntries((await fetch(url + path, { headers, redirect: 'manual' })).headers);
    const cacheAnswer = async (path: string, headers?: Record<string, string>) =>
      (await headersOf(path, headers))['x-cache'];
    const shown = () => versionShown(url, '/beta', 'mfe-beta');
    const confirmed = () =>
      until(async () =>
        expect((await cluster.channel()).caches).toEqual([
          { name: expect.stringContaining('varnish') as string, waiting: 0, problem: null },
        ]),
      );
    const publish = (edition: string) => cluster.publish(sampleRemote('mfe-beta', ['/beta'], edition));
    const rollBack = async (from: string) => {
      const body = { app: 'mfe-beta', from, reason: 'a test' };
      expect((await cluster.ask('POST', `${CHANNEL}/rollbacks`, { body })).status).toBe(201);
    };

    test('public pages are answered from the cache, whatever the other cookies of a visitor', async () => {
      await confirmed();
      for (const cookie of ['', 'authToken=x; _ga=1']) {
        const visitor: Record<string, string> = cookie === '' ? {} : { cookie };
        await headersOf('/beta', visitor);
        expect([cookie, await cacheAnswer('/beta', visitor)]).toEqual([cookie, 'hit']);
      }
      expect(await cacheAnswer('/beta', { cookie: '__Host-Http-bucket=5' })).toBe('hit');
      for (const path of ['/', '/sitemap.xml', '/__site/state', '/unknown']) {
        await headersOf(path);
        expect([path, await cacheAnswer(path)]).toEqual([path, 'hit']);
      }
    });

    test('documents have an entry of their own for visitors with cookies, whose data may be removed', async () => {
      const cookie = 'authToken=y';
      const destinations: [string, string][] = [
        ['empty', 'miss'],
        ['document, empty', 'hit'],
        ['document', 'miss'],
        ['document', 'hit'],
      ];
      for (const [destination, answer] of destinations) {
        const headers = { cookie, 'sec-fetch-dest': destination };
        expect([destination, await cacheAnswer('/robots.txt', headers)]).toEqual([destination, answer]);
      }
    });

    test('previews, queries and reports always reach an edge', async () => {
      for (const _ of [1, 2]) {
        expect(await cacheAnswer('/beta', { cookie: '__Host-Http-preview=x' })).toBe('miss');
        expect(await cacheAnswer('/beta?a=1')).toBe('miss');
        const report = await fetch(`${url}/__site/signals`, { method: 'POST', body: '{}' });
        expect([report.status, report.headers.get('x-cache')]).toEqual([202, 'miss']);
      }
    });

    test('headers for shared caches do not reach visitors', async () => {
      const names = Object.keys(await headersOf('/beta'));
      expect(names).toContain('etag');
      for (const name of ['xkey', 'surrogate-key', 'cache-tag', 'cdn-cache-control', 'surrogate-control'])
        expect(names).not.toContain(name);
    });

    test('a page is cached once per encoding', async () => {
      for (const [accepted, sent] of [
        ['gzip, deflate, br', 'br'],
        ['gzip;q=1, br;q=0', 'gzip'],
        ['identity', undefined],
      ])
        expect((await headersOf('/alpha', { 'accept-encoding': accepted ?? '' }))['content-encoding']).toBe(
          sent,
        );
    });

    test('a purge needs the key', async () => {
      const purge = (authorization: string, keys = 'mfe-beta') =>
        fetch(url, { method: 'PURGE', headers: { authorization, 'surrogate-key': keys } }).then(
          ({ status }) => status,
        );
      expect(await purge('Bearer another')).toBe(403);
      expect(await purge(`Bearer ${varnishKey}`, '')).toBe(400);
      await shown();
      expect(await cacheAnswer('/beta')).toBe('hit');
      expect(await purge(`Bearer ${varnishKey}`)).toBe(200);
      expect(await cacheAnswer('/beta')).toBe('miss');
    });

    test('the published key is refused', async () => {
      const edges = cluster.edges.map((edge) => edge.url);
      const key = 'change-this-key';
      const careless = await startVarnish(edges, await freePorts(), key);
      const headers = { authorization: `Bearer ${key}`, 'surrogate-key': 'mfe-beta' };
      expect((await fetch(careless.url, { method: 'PURGE', headers })).status).toBe(403);
      await careless.stop();
    });

    test('a canary makes the pages of its app personal, and no others', async () => {
      const version = await publish('canary');
      await cluster.activate({ 'mfe-beta': version }, { share: 10 });
      await confirmed();
      expect((await headersOf('/beta'))['cache-control']).toMatch(/^private/);
      await headersOf('/alpha');
      expect(await cacheAnswer('/alpha')).toBe('hit');
      await cluster.ask('POST', `${CHANNEL}/aborts`, { body: { reason: 'a test' } });
      await confirmed();
      expect((await headersOf('/beta'))['cache-control']).toMatch(/^no-cache/);
    });

    test('after a change is confirmed, no response shows the version before', async () => {
      const { checked, stale } = await measureFreshness(cluster, { changes: 6, requests: 2_000 });
      expect(checked).toBeGreaterThanOrEqual(2_000);
      expect(stale).toEqual([]);
    });

    test('the command "rollback" waits for the purge, and checks the pages at the public address', async () => {
      const config = { ...sampleConfig, origin: url };
      await cluster.activate({}, { config });
      const bad = await publish('bad behind a cache');
      await cluster.activate({ 'mfe-beta': bad });
      await confirmed();
      expect(await shown()).toBe(bad);
      const { stdout } = await promisify(execFile)(
        process.execPath,
        ['delivery/cli/src/main.ts', 'rollback', `mfe-beta@${bad}`, '--reason', 'a test'],
        { env: { ...process.env, SITE_REGISTRY: cluster.registry.url, SITE_TOKEN: cluster.tokens.ops } },
      );
      expect(stdout).toContain(`no cache shows it (2 checks of ${url})`);
      expect(await shown()).not.toBe(bad);
    });

    test('a rollback is purged even if the registry is killed right after it', async () => {
      const { release } = await cluster.channel();
      const good = release?.apps['mfe-beta'] ?? '';
      const bad = await publish('bad');
      await cluster.activate({ 'mfe-beta': bad });
      await confirmed();
      expect(await shown()).toBe(bad);
      for (const { link } of cluster.edges) link.refuse(CHANNEL);
      await rollBack(bad);
      cluster.registry.kill();
      expect(await shown()).toBe(bad);
      for (const { link } of cluster.edges) link.refuse(null);
      await cluster.registry.start();
      await until(async () => expect(await shown()).toBe(good));
      await confirmed();
    });
  },
);
