import { setTimeout as sleep } from 'node:timers/promises';
import { samplePaths, startCluster, type Cluster } from './harness/cluster.ts';
import { checkPage } from './harness/page-check.ts';
import { sampleRemote, sampleShell } from './harness/sample-apps.ts';

const CYCLES = 50;
const READERS = 4;
/** After each page, in which the registry and the edges come to work: readers who never pause hold up what they look at. */
const PAUSE_MS = 10;
/** While nothing changes. */
const LONG_PAUSE_MS = 100;
/** More files than an edge looks up in the store at once, over all readers. */
const PARTS = 6;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster();
});
afterAll(() => cluster.stop());

test('while 50 versions are published, activated and rolled back no request fails and no page mixes versions', async () => {
  const problems: string[] = [];
  let opened = 0;
  let isOver = false;
  /** Whether what is live changes. While it does not there is nothing to mix: then readers leave the machine to others. */
  let isChanging = false;
  let turn = 0;
  const fetchFrom = (path: string) =>
    fetch(cluster.addresses[(turn += 1) % cluster.addresses.length]! + path);
  const paths = Object.values(samplePaths).flat();
  /** What readers came to see. */
  const seen = new Set<string>();
  const readers = Array.from({ length: READERS }, async () => {
    while (!isOver) {
      const page = await checkPage(fetchFrom, paths[opened % paths.length]!).catch((error: unknown) => ({
        edition: '',
        problems: [String((error as Error).cause ?? error)],
      }));
      problems.push(...page.problems);
      seen.add(page.edition);
      opened += 1;
      await sleep(isChanging ? PAUSE_MS : LONG_PAUSE_MS);
    }
  });
  const isSeen = async (edition: string) => {
    const deadline = performance.now() + 60_000;
    while (!seen.has(edition) && problems.length === 0) {
      if (performance.now() > deadline) throw new Error(`Nobody came to see "${edition}".`);
      await sleep(5);
    }
  };

  try {
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      // Every tenth time the shell changes too: then every page is another one.
      const app = cycle % 10 === 9 ? 'shell' : cycle % 2 === 0 ? 'mfe-alpha' : 'mfe-beta';
      // Of two digits each: none of them begins with another one.
      const edition = `cycle ${cycle + 10}`;
      const version = await cluster.publish(
        app === 'shell'
          ? sampleShell(edition)
          : sampleRemote(app, samplePaths[app]!, edition, { parts: PARTS }),
      );
      isChanging = true;
      await cluster.activate({ [app]: version });
      // Most are put back before anybody may know of them, these when somebody has seen them.
      if (cycle % 5 === 0) await isSeen(edition);
      const { status } = await cluster.ask('POST', '/v1/channels/production/rollbacks', {
        body: { app, from: version, reason: 'a test' },
      });
      expect(status).toBe(201);
      isChanging = false;
    }
  } finally {
    isOver = true;
    await Promise.all(readers);
  }
  expect(problems).toEqual([]);
  expect(opened).toBeGreaterThan(CYCLES);
  expect(seen.size).toBeGreaterThan(CYCLES / 5);
});
