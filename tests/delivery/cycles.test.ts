import { samplePaths, startCluster, type Cluster } from './harness/cluster.ts';
import { checkPage } from './harness/page-check.ts';
import { sampleRemote, sampleShell } from './harness/sample-apps.ts';

jest.setTimeout(240_000);

const CYCLES = 50;
const READERS = 4;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

test('while 50 versions are published, activated and rolled back no request fails and no page mixes versions', async () => {
  const problems: string[] = [];
  let opened = 0;
  let isOver = false;
  let turn = 0;
  const fetchFrom = (path: string) => {
    const { url } = cluster.edges[(turn += 1) % cluster.edges.length]!;
    return fetch(url + path);
  };
  const paths = Object.values(samplePaths).flat();
  const readers = Array.from({ length: READERS }, async () => {
    while (!isOver) {
      const found = await checkPage(fetchFrom, paths[opened % paths.length]!).catch((error: unknown) => [
        String((error as Error).cause ?? error),
      ]);
      problems.push(...found);
      opened += 1;
    }
  });

  for (let cycle = 0; cycle < CYCLES; cycle += 1) {
    // Every tenth time the shell changes too: then every page is another one.
    const app = cycle % 10 === 9 ? 'shell' : cycle % 2 === 0 ? 'mfe-alpha' : 'mfe-beta';
    const edition = `cycle ${cycle}`;
    const version = await cluster.publish(
      app === 'shell' ? sampleShell(edition) : sampleRemote(app, samplePaths[app]!, edition),
    );
    await cluster.activate({ [app]: version });
    const { status } = await cluster.ask('POST', '/v1/channels/production/rollbacks', {
      body: { app, from: version, reason: 'a test' },
    });
    expect(status).toBe(201);
  }
  isOver = true;
  await Promise.all(readers);
  expect(problems).toEqual([]);
  expect(opened).toBeGreaterThan(CYCLES);
});
