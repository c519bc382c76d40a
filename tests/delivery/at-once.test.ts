import { samplePaths, startCluster, type Cluster } from './harness/cluster.ts';
import { startReaders, type Readers } from './harness/readers.ts';
import { sampleRemote, sampleShell } from './harness/sample-apps.ts';
import { startTeam, type Team } from './harness/team.ts';

/**
 * A round takes seconds of both cores, so the default is low. More: `AT_ONCE_ROUNDS=50 npm run -s jest --
 * --selectProjects delivery -i at-once`.
 */
const ROUNDS = Number(process.env['AT_ONCE_ROUNDS'] ?? 6);
/** The readers' pause: changes are continuous, and everything runs on one machine. */
const PAUSE_MS = 100;

/** Apps of two other repositories, and of this one. */
const paths: Record<string, string[]> = { ...samplePaths, 'mfe-gamma': ['/gamma'] };

let cluster: Cluster;
let teams: Team[] = [];

beforeAll(async () => {
  cluster = await startCluster({ edgeCount: 2 });
  teams = await Promise.all([
    startTeam(cluster, 'mfe-alpha'),
    startTeam(cluster, 'mfe-beta'),
    startTeam(cluster, 'mfe-gamma', 'shell'),
  ]);
});
afterAll(async () => {
  await Promise.all(teams.map((team) => team.stop()));
  await cluster.stop();
});

/** Concurrent releases by the apps' teams. @returns the version that each has activated. */
async function releaseAtOnce(edition: string, apps: string[]): Promise<Record<string, string>> {
  const versions = apps.map((app) =>
    app === 'shell' ? sampleShell(edition) : sampleRemote(app, paths[app]!, edition),
  );
  await Promise.all(teams.map((team, index) => team.build(versions[index]!)));
  const ended = await Promise.all(teams.map((team, index) => team.release(apps[index]!)));
  expect(ended).toEqual(apps.map(() => ({ code: 0, out: expect.any(String) as string, err: '' })));
  return Object.fromEntries(versions.map(({ manifest }) => [manifest.app, manifest.version]));
}

/** A page belongs to one release if it contains that release's versions. */
async function expectOneReleaseEach({ pages }: Readers): Promise<number> {
  const seen = new Map<string, Set<string>>();
  for (const { made } of pages) {
    if (!made) continue;
    const versions = seen.get(made.release) ?? new Set();
    seen.set(made.release, versions.add(JSON.stringify(made.versions)));
  }
  for (const [release, versions] of seen) {
    const { body } = await cluster.ask<{ apps: Record<string, string> }>('GET', `/v1/releases/${release}`);
    const { shell: _shell, ...remotes } = body.apps;
    expect([release, [...versions].map((text) => JSON.parse(text) as unknown)]).toEqual([release, [remotes]]);
  }
  return seen.size;
}

test('while three teams publish and activate concurrently, no request fails, no page mixes releases and no release is lost', async () => {
  const live = async () => (await cluster.channel()).release?.apps;
  // Ops publish its first version, which assigns the app and its paths to its team.
  const gamma = await cluster.publish(sampleRemote('mfe-gamma', paths['mfe-gamma']!, 'one'));
  const release = await cluster.activate({ 'mfe-gamma': gamma });
  await Promise.all(cluster.edges.map((edge) => cluster.serving(edge, release)));
  let made = await live();
  const readers = startReaders(cluster, Object.values(paths).flat(), PAUSE_MS);
  readers.hurry(true);
  try {
    for (let round = 0; round < ROUNDS; round += 1) {
      // Every fifth time the shell changes, and with it every page.
      const third = round % 5 === 4 ? 'shell' : 'mfe-gamma';
      // Two digits each, so that none is a prefix of another.
      const edition = `round ${round + 10}`;
      made = { ...made, ...(await releaseAtOnce(edition, ['mfe-alpha', 'mfe-beta', third])) };
      // No release was based on one without the others' changes.
      expect([round, await live()]).toEqual([round, made]);
      expect(readers.problems()).toEqual([]);
    }
    await readers.isSeen(`round ${ROUNDS + 9}`);
  } finally {
    await readers.stop();
  }
  expect(readers.problems()).toEqual([]);
  expect(await expectOneReleaseEach(readers)).toBeGreaterThan(ROUNDS);
});
