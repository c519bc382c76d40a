import { bucketAt } from '@site/edge/testing/bucket-at';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { Browser, Page } from 'playwright-core';
import { BUCKETS } from '@site/contract';
import { launchBrowser } from '../e2e/harness/browser.ts';
import { PATIENCE_MS, until } from '../e2e/harness/until.ts';
import { sampleConfig, samplePaths, startCluster, type Cluster } from './harness/cluster.ts';
import { sampleRemote } from './harness/sample-apps.ts';

const CHANNEL = '/v1/channels/production';
/** Places of returning visitors: the first and last at 40 % and at 99 %, and the next. */
const KNOWN_PLACES = [0, BUCKETS * 0.4 - 1, BUCKETS * 0.99 - 1, BUCKETS * 0.99];
/** Visitors who get a bucket from their first edge. */
const NEW_VISITORS = 2;

let cluster: Cluster;
let browser: Browser;

beforeAll(async () => {
  [cluster, browser] = await Promise.all([startCluster(), launchBrowser()]);
});
afterAll(async () => {
  await browser.close();
  await cluster.stop();
});

interface Visitor {
  page: Page;
  problems: string[];
}

async function newVisitor(bucket?: number): Promise<Visitor> {
  // Cookies ignore ports, so to the browser the edges are one site.
  const context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  if (bucket !== undefined)
    await context.addCookies([{ name: 'bucket', value: String(bucket), url: cluster.edges[0]!.url }]);
  const page = await context.newPage();
  const problems: string[] = [];
  page.on('console', (message) => {
    // The sample shell does not use its preloads, which causes a warning.
    if (message.type() === 'error') problems.push(message.text());
  });
  page.on('pageerror', (error) => problems.push(error.message));
  return { page, problems };
}

/** The edition in each edge's markup for this visitor. */
async function readEditions({ page }: Visitor): Promise<string[]> {
  const seen: string[] = [];
  for (const { url } of cluster.edges) {
    await page.goto(`${url}/alpha`);
    seen.push((await page.locator('[data-edition]').getAttribute('data-edition')) ?? 'none');
  }
  return seen;
}

async function change(path: string, body: object): Promise<void> {
  const { status, body: answer } = await cluster.ask<{ release: { id: string } }>('POST', CHANNEL + path, {
    body: { reason: 'a test', ...body },
  });
  expect([200, 201]).toContain(status);
  const { state } = await cluster.channel();
  if (state.live === answer.release.id)
    await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, answer.release.id)));
}

/** Waits until every edge serves a canary to the visitor of a place. */
async function canaryEverywhere(release: string, place = 0): Promise<void> {
  await Promise.all(
    cluster.edges.map(async ({ url }) => {
      const headers = { cookie: `bucket=${bucketAt(place, release)}` };
      const ask = async () =>
        (await (await fetch(`${url}/__site/state`, { headers })).json()) as { release: string };
      await until(async () => expect((await ask()).release.split('.')).toContain(release));
    }),
  );
}

test('a canary stays with its visitors across edges and shares; after promotion all see it, after rollback none', async () => {
  const version = await cluster.publish(sampleRemote('mfe-alpha', samplePaths['mfe-alpha']!, 'two'));
  await change('/releases', { apps: { 'mfe-alpha': version }, share: 40 });
  const canary = (await cluster.channel()).state.canaries[0]?.release ?? '';
  await canaryEverywhere(canary);

  const known = KNOWN_PLACES.map((place) => bucketAt(place, canary));
  const buckets = [...known, ...Array.from({ length: NEW_VISITORS }, () => undefined)];
  const visitors = await Promise.all(buckets.map(newVisitor));
  /** What each of them sees on any edge. */
  const everyoneComes = async () => {
    const editions: (string | undefined)[] = [];
    for (const visitor of visitors) {
      const seen = new Set(await readEditions(visitor));
      expect(seen.size).toBe(1);
      editions.push(...seen);
    }
    return editions;
  };
  const before = await everyoneComes();
  expect(before.slice(0, KNOWN_PLACES.length)).toEqual(['two', 'two', 'one', 'one']);
  expect(await everyoneComes()).toEqual(before);
  await change('/canary', { share: 99 });
  await canaryEverywhere(canary, BUCKETS * 0.99 - 1);
  const after = await everyoneComes();
  expect(after.slice(0, KNOWN_PLACES.length)).toEqual(['two', 'two', 'two', 'one']);
  expect(after.filter((edition, visitor) => before[visitor] === 'two' && edition !== 'two')).toEqual([]);
  await change('/promotions', {});
  for (const visitor of visitors) expect(await readEditions(visitor)).toEqual(['two', 'two', 'two']);
  await change('/rollbacks', { app: 'mfe-alpha' });
  for (const visitor of visitors) expect(await readEditions(visitor)).toEqual(['one', 'one', 'one']);
  for (const { problems } of visitors) expect(problems).toEqual([]);
});

const previousSite: Record<string, [type: string, body: string]> = {
  '/alpha': [
    'text/html',
    '<script>navigator.serviceWorker.register("/old-sw.js"); navigator.serviceWorker.ready.then(() => document.title = "Ready")</script>',
  ],
  '/old-sw.js': [
    'text/javascript',
    `addEventListener('install', (event) => event.waitUntil(caches.open('old')));
addEventListener('fetch', (event) =>
  event.respondWith(new Response('<h1>Previous site</h1>', { headers: { 'content-type': 'text/html' } })));`,
  ],
};

test('a browser with the service worker of a previous site gets this site', async () => {
  const formerWorkers = ['/old-sw.js'];
  const { release } = await cluster.channel();
  await change('/releases', { apps: release!.apps, config: { ...sampleConfig, formerWorkers } });
  const { page, problems } = await newVisitor();
  const edge = cluster.edges[0]!;
  await edge.stop();
  try {
    const before = createServer(({ url = '' }, response) => {
      const [type, body] = previousSite[url] ?? ['text/plain', ''];
      response.writeHead(200, { 'content-type': type }).end(body);
    });
    before.listen(Number(new URL(edge.url).port), '127.0.0.1');
    await once(before, 'listening');
    await page.goto(`${edge.url}/alpha`);
    await page.waitForFunction(() => document.title === 'Ready');
    await page.goto(`${edge.url}/alpha`);
    await page.getByRole('heading', { name: 'Previous site' }).waitFor();
    before.closeAllConnections();
    await new Promise((resolve) => before.close(resolve));
  } finally {
    await edge.start();
  }
  await page.goto(`${edge.url}/alpha`);
  await page.locator('[data-edition]').waitFor();
  const left = () =>
    page.evaluate(async () => [
      (await navigator.serviceWorker.getRegistrations()).length,
      (await caches.keys()).length,
    ]);
  await until(async () => expect(await left()).toEqual([0, 0]));
  expect(problems).toEqual([]);
});
