import { setTimeout as sleep } from 'node:timers/promises';
import { startCluster, type Cluster } from './harness/cluster.ts';
import { sampleRemote } from './harness/sample-apps.ts';
import { until } from '../e2e/harness/until.ts';

let cluster: Cluster;
beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 2 });
});
afterAll(() => cluster.stop());

const change = async (path: string, body: object) => {
  const answer = await cluster.ask<{ release: { id: string } }>('POST', `/v1/channels/production/${path}`, {
    body: { app: 'mfe-beta', reason: 'a test', ...body },
  });
  expect([path, answer.status, answer.body]).toEqual([path, 201, expect.anything()]);
  const { id } = answer.body.release;
  await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, id)));
};

/** A visitor's result for `/beta` in one word. */
async function visit(address: string): Promise<string> {
  const answer = await fetch(`${address}/beta`, { redirect: 'manual' });
  const text = await answer.text();
  if (answer.status === 200) return `page ${/data-edition="([^"]*)"/.exec(text)?.[1]}`;
  if (answer.status === 308) return `to ${answer.headers.get('location')}`;
  return answer.status === 410 && text.includes('This page is gone') ? 'gone' : `${answer.status} ${text}`;
}

/** Edges follow immediately; the proxy's cache expires within a second. */
async function expectEverywhere(answer: string): Promise<void> {
  expect(await Promise.all(cluster.edges.map(({ url }) => visit(url)))).toEqual(
    cluster.edges.map(() => answer),
  );
  const { front } = cluster;
  if (front !== null) await until(async () => expect(await visit(front)).toBe(answer));
}

test('an app is retired, restored and retired again, and visitors always get a response', async () => {
  const seen = new Set<string>();
  const problems: string[] = [];
  let opened = 0;
  let isOver = false;
  const readers = cluster.addresses.map(async (address) => {
    while (!isOver) {
      try {
        seen.add(await visit(address));
        // The other remote is never affected.
        const other = await fetch(`${address}/alpha`);
        if (!(await other.text()).includes('data-app="mfe-alpha"')) problems.push(`/alpha: ${other.status}`);
      } catch (error) {
        problems.push(String((error as Error).cause ?? error));
      }
      opened += 1;
      await sleep(5);
    }
  });

  try {
    await expectEverywhere('page one');
    await change('retirements', { to: '/alpha/more' });
    await expectEverywhere('to /alpha/more');
    const sitemaps = await Promise.all(
      cluster.edges.map(async ({ url }) => (await fetch(`${url}/sitemap.xml`)).text()),
    );
    for (const sitemap of sitemaps)
      expect([sitemap.includes('/alpha'), sitemap.includes('/beta')]).toEqual([true, false]);

    await change('rollbacks', {});
    await expectEverywhere('page one');

    await change('retirements', {});
    await expectEverywhere('gone');

    const version = await cluster.publish(sampleRemote('mfe-beta', ['/beta'], 'two'));
    const release = await cluster.activate({ 'mfe-beta': version });
    await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, release)));
    await expectEverywhere('page two');
  } finally {
    isOver = true;
    await Promise.all(readers);
  }
  expect(problems).toEqual([]);
  expect(opened).toBeGreaterThan(0);
  expect([...seen].filter((one) => !/^(page one|page two|to \/alpha\/more|gone)$/.test(one))).toEqual([]);
});

test('an edge that starts while an app is retired, even without a registry, applies it', async () => {
  await change('retirements', { to: '/alpha' });
  const [edge] = cluster.edges as [Cluster['edges'][number]];
  await edge.stop();
  await cluster.registry.stop();
  await edge.start();
  await until(async () => expect((await fetch(`${edge.url}/__site/ready`)).status).toBe(200));
  expect(await visit(edge.url)).toBe('to /alpha');
});
