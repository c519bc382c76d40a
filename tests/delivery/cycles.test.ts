import { samplePaths, startCluster, type Cluster } from './harness/cluster.ts';
import { startReaders } from './harness/readers.ts';
import { sampleRemote, sampleShell } from './harness/sample-apps.ts';

const CYCLES = 50;
/** More files than an edge requests concurrently from the store, over all readers. */
const PARTS = 6;

let cluster: Cluster;

beforeAll(async () => {
  cluster = await startCluster({ s3: true });
});
afterAll(() => cluster.stop());

test('while 50 versions are published, activated and rolled back, no request fails and no page mixes versions', async () => {
  const readers = startReaders(cluster, Object.values(samplePaths).flat());
  try {
    for (let cycle = 0; cycle < CYCLES; cycle += 1) {
      // Every tenth time the shell changes, and with it every page.
      const app = cycle % 10 === 9 ? 'shell' : cycle % 2 === 0 ? 'mfe-alpha' : 'mfe-beta';
      // Two digits each, so that none is a prefix of another.
      const edition = `cycle ${cycle + 10}`;
      const version = await cluster.publish(
        app === 'shell'
          ? sampleShell(edition)
          : sampleRemote(app, samplePaths[app]!, edition, { parts: PARTS }),
      );
      readers.hurry(true);
      await cluster.activate({ [app]: version });
      // Most are rolled back before any visitor sees them; these are seen first.
      if (cycle % 5 === 0) await readers.isSeen(edition);
      const { status } = await cluster.ask('POST', '/v1/channels/production/rollbacks', {
        body: { app, from: version, reason: 'a test' },
      });
      expect(status).toBe(201);
      readers.hurry(false);
    }
  } finally {
    await readers.stop();
  }
  expect(readers.problems()).toEqual([]);
  expect(readers.pages.length).toBeGreaterThan(CYCLES);
  expect(new Set(readers.pages.map(({ edition }) => edition)).size).toBeGreaterThan(CYCLES / 5);
});
