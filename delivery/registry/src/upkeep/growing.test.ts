import { sql } from 'kysely';
import { MAX_REVOKED, mustLeave, type ChannelState } from '@site/contract';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';
import { remoteManifest } from '../testing/manifests.ts';

const blocks = (contents: number) =>
  remoteManifest('mfe-blocks', { paths: ['/blocks', '/blocks/auth'], contents });

let server: TestDatabase;
let registry: Harness;
beforeAll(async () => {
  server = await startDatabase();
});
beforeEach(async () => {
  registry = await createHarness(server.database);
  await registry.startSite();
});
afterEach(() => registry.stop());
afterAll(() => server.stop());

const readState = async () =>
  (await registry.send<{ state: ChannelState }>('GET', '/v1/channels/production')).body.state;

/** Appends releases to the channel, each with the versions of the previous one. */
async function repeatRelease(times: number): Promise<void> {
  const db = registryTables(registry);
  for (let index = 0; index < times; index += 1) {
    const { rows } = await sql<{ number: number }>`
      update registry.release_head set number = number + 1 returning number`.execute(db);
    const number = rows[0]?.number ?? 0;
    await sql`
      insert into registry.releases
        (number, channel, kind, as_canary, left_out, retired, config, config_digest, by, reason, at, parent)
      select ${number}, channel, kind, false, left_out, retired, config, config_digest, by, reason, at, number
      from registry.releases where number = (select live from registry.channels where name = 'production')
    `.execute(db);
    await sql`
      insert into registry.release_apps (release, channel, app, version, last_good)
      select ${number}, channel, app, version, last_good from registry.release_apps
      where release = (select live from registry.channels where name = 'production')`.execute(db);
    await sql`update registry.channels set live = ${number} where name = 'production'`.execute(db);
  }
}

test('a bad version in very many releases is rolled back without listing them all', async () => {
  await registry.publish(blocks(2));
  await registry.activate({ 'mfe-blocks': blocks(2).version });
  await repeatRelease(MAX_REVOKED + 20);
  const before = await readState();
  const { body } = await registry.rollBack({ app: 'mfe-blocks' });
  expect(body.revoked).toHaveLength(MAX_REVOKED);
  const state = await readState();
  expect(state.revoked).toHaveLength(MAX_REVOKED);
  // Every tab with the version leaves, from the newest to the oldest release with it.
  expect(state.revoked).toContain(before.live);
  expect(state.revoked).not.toContain('r2');
  for (const release of [before.live ?? '', 'r2', 'r3']) expect(mustLeave(state, release)).toBe(true);
  expect(mustLeave(state, state.live ?? '')).toBe(false);
});

test("a channel's list of revoked releases has a maximum length", async () => {
  await registry.publish(blocks(2));
  const { version } = blocks(2);
  await registry.activate({ 'mfe-blocks': version });
  await repeatRelease(MAX_REVOKED + 5);
  await registry.rollBack({ app: 'mfe-blocks' });
  await registry.activate({ 'mfe-blocks': version }, { force: true });
  const again = (await readState()).live ?? '';
  await registry.rollBack({ app: 'mfe-blocks' });
  const { revoked } = await readState();
  expect(revoked).toHaveLength(MAX_REVOKED);
  expect(revoked).toContain(again);
});

test('the history of all apps and of one is paginated', async () => {
  for (const contents of [2, 3]) {
    await registry.publish(blocks(contents));
    await registry.activate({ 'mfe-blocks': blocks(contents).version });
  }
  const page = async (query: string) =>
    (
      await registry.send<{ releases: { id: string }[] }>('GET', `/v1/channels/production/releases?${query}`)
    ).body.releases.map(({ id }) => id);
  expect(await page('limit=2')).toEqual(['r3', 'r2']);
  expect(await page('limit=2&before=r2')).toEqual(['r1']);
  expect(await page('limit=1&before=r3&app=mfe-blocks')).toEqual(['r2']);
  const { status } = await registry.send('GET', '/v1/channels/production/releases?before=12');
  expect(status).toBe(400);
});
