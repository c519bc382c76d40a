import { sql } from 'kysely';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { isAnyoneWaiting } from '@site/server/testing/is-anyone-waiting';
import { lockAuditLog } from './audit.repository.ts';
import { lockChannel } from './locks.ts';
import type { RegistryDb } from './tables.ts';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';
import { runChange } from './run-change.ts';
import { waitFor } from '@site/server/testing/wait-for';

let server: TestDatabase;
let registry: Harness;
let db: RegistryDb;

beforeAll(async () => {
  server = await startDatabase();
  registry = await createHarness(server.database);
  db = registryTables(registry);
});
afterAll(async () => {
  await registry.stop();
  await server.stop();
});

const change = (channels: ('production' | 'staging')[], write: () => Promise<unknown>) =>
  runChange(
    {
      context: { db, now: () => new Date() },
      actor: { tokenId: 'x', name: 'x', scopes: ['ops'] },
      key: null,
      requestDigest: '',
      dryRun: false,
    },
    { locks: { channels }, write: async () => ({ body: { seen: await write() } }) },
  );

async function held(): Promise<string[]> {
  const isFree = (what: ReturnType<typeof sql>) =>
    sql`${what} for update nowait`.execute(db).then(
      () => true,
      () => false,
    );
  const names = {
    production: sql`select 1 from registry.channels where name = 'production'`,
    staging: sql`select 1 from registry.channels where name = 'staging'`,
    log: sql`select 1 from registry.audit_head`,
  };
  const found: string[] = [];
  for (const [name, row] of Object.entries(names)) if (!(await isFree(row))) found.push(name);
  return found;
}

const untilSomebodyWaits = () => waitFor(() => isAnyoneWaiting(db));

test('a change holds its channels and the end of the log while it writes, and nothing afterwards', async () => {
  expect((await change(['staging'], held)).body.seen).toEqual(['staging', 'log']);
  expect((await change([], held)).body.seen).toEqual(['log']);
  expect(await held()).toEqual([]);
});

test('a change that waits for the log already holds its channels, never the other way round', async () => {
  const started = await db.transaction().execute(async (other) => {
    await lockAuditLog(other);
    const waiting = { answer: change(['staging'], held) };
    await untilSomebodyWaits();
    expect(await held()).toEqual(['staging', 'log']);
    return waiting;
  });
  expect((await started.answer).status).toBe(200);
});

test("channels are locked in the order of their names, regardless of a change's order", async () => {
  const started = await db.transaction().execute(async (other) => {
    await lockChannel(other, 'production');
    const waiting = { answer: change(['staging', 'production'], held) };
    await untilSomebodyWaits();
    // It waits for the first one, and holds nothing that the holder could wait for.
    expect(await held()).toEqual(['production']);
    return waiting;
  });
  expect((await started.answer).body.seen).toEqual(['production', 'staging', 'log']);
});
