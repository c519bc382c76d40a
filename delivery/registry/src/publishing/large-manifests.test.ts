import { type KyselyPlugin, sql } from 'kysely';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { PORTION_BYTES } from '../kernel/lists.ts';
import { createHarness, type Harness, siteConfig, registryTables } from '../testing/harness.ts';
import { remoteManifest, shellManifest } from '../testing/manifests.ts';

const names = Array.from({ length: 20 }, (_, index) => `mfe-r${index}`);
const remotes = names.map((app) => remoteManifest(app));
/** Additional bytes per manifest: the most that a version's assets can have. */
const MORE = 600_000;

/** All manifests together are three batches. */
describe('a site of teams with large manifests', () => {
  let server: TestDatabase;
  let registry: Harness;
  /** Bytes read by each large statement. */
  let read: number[];
  const measuring: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      const bytes = result.rows.reduce((sum, row) => sum + countBytes(row), 0);
      if (bytes > MORE / 2) read.push(bytes);
      return Promise.resolve(result);
    },
  };

  beforeAll(async () => {
    server = await startDatabase();
    const { database } = server;
    read = [];
    registry = await createHarness({
      ...database,
      schema: <Tables>(name: string) => database.schema<Tables>(name).withPlugin(measuring),
    });
    for (const manifest of [shellManifest(), ...remotes]) await registry.publish(manifest);
    const apps = Object.fromEntries([shellManifest(), ...remotes].map(({ app, version }) => [app, version]));
    expect((await registry.activate(apps, { config: siteConfig })).status).toBe(201);
    // Images: names of scripts have a lower limit.
    await sql`
      update registry.versions set manifest = jsonb_set(manifest, '{assets}', (manifest->'assets') || (
        select jsonb_agg(jsonb_build_object(
          'path', rpad('picture-' || number || '-', 196, 'x') || '.png',
          'size', 1, 'integrity', manifest->'assets'->0->>'integrity'))
        from generate_series(1, ${MORE / 300}::integer) as number))
    `.execute(registryTables(registry));
  });
  afterAll(async () => {
    await registry.stop();
    await server.stop();
  });
  beforeEach(() => (read = []));

  const total = () => read.reduce((sum, bytes) => sum + bytes, 0);

  function expectPortions(): void {
    expect(total()).toBeGreaterThan(names.length * MORE);
    expectBatches();
  }

  function expectBatches(): void {
    expect(Math.max(...read)).toBeLessThanOrEqual(PORTION_BYTES);
    // Not one statement per manifest, either.
    expect(read.length).toBeLessThan(names.length);
  }

  test('collecting reads only their integrities, in batches', async () => {
    const { status } = await registry.send('POST', '/v1/collections', {
      body: { keepReleases: 1, keepDays: 1, dryRun: true },
    });
    expect(status).toBe(200);
    expect(total()).toBeLessThan((names.length * MORE) / 2);
    expectBatches();
  });

  test('verifying reads them in batches', async () => {
    const { status, body } = await registry.send<{ artifacts: object }>('POST', '/v1/verifications', {
      body: {},
    });
    expect([status, body.artifacts]).toEqual([200, expect.objectContaining({ missing: [] }) as object]);
    expectPortions();
  });

  test('a backup reads its rows and the names of its files in batches', async () => {
    const { statusCode } = await registry.app.inject({
      url: '/v1/backup',
      headers: { authorization: `Bearer ${registry.tokens.ops}` },
    });
    expect(statusCode).toBe(200);
    expectPortions();
    expect(total()).toBeGreaterThan(2 * names.length * MORE);
  });

  test('publishing a shell reads them in batches, because all of them are rendered and measured with it', async () => {
    const { status } = await registry.publish(shellManifest({ contents: 2 }));
    expect(status).toBe(201);
    expectPortions();
  });

  test("publishing a remote reads only the others' routes and paths", async () => {
    expect((await registry.publish(remoteManifest('mfe-r1', { contents: 2 }))).status).toBe(201);
    // Only the shell is read completely.
    expect(total()).toBeLessThan(1.5 * MORE);
    const squatter = remoteManifest('mfe-squatter', { paths: ['/r19'] });
    expect((await registry.publish(squatter)).body.errors[0]?.code).toBe('path_taken');
  });

  test('publishing with deferred live checks reads none', async () => {
    const answer = await registry.publish(remoteManifest('mfe-r1', { contents: 3 }), {
      query: '?live-checks=defer',
    });
    expect(answer.status).toBe(201);
    expect(read).toEqual([]);
  });
});

function countBytes(row: object): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value : JSON.stringify(value)).length,
    0,
  );
}
