import { sql } from 'kysely';
import { createServer } from './create-server.ts';
import { toApiError } from './error-document.ts';
import { openDatabase, type Database } from './open-database.ts';
import { allowLongStatements } from './postgres-client.ts';
import { newPostgresDatabase, type PostgresDatabase } from './testing/each-database.ts';
import { makeReadOnly } from './testing/read-only-database.ts';
import { waitFor } from './testing/wait-for.ts';
import { startSilentProxy, type SilentProxy } from './testing/silent-proxy.ts';

const patience = { answerTimeoutMs: 200, heartbeatMs: 20 };

let server: PostgresDatabase;
let proxy: SilentProxy;
let database: Database;
let warnings: string[];

beforeAll(async () => {
  server = await newPostgresDatabase();
});
afterAll(() => server.drop());
beforeEach(async () => {
  warnings = [];
  proxy = await startSilentProxy(server.url);
  database = await openDatabase({
    url: proxy.url,
    onWarning: (message) => warnings.push(message),
    patience,
  });
});
afterEach(async () => {
  await database.close();
  await proxy.close();
});

const tables = () => database.schema<Record<string, never>>('public');

describe('after a database host disappears without closing its connections', () => {
  test('queries on all pooled connections fail, and the next ones reach the new host', async () => {
    const all = Array.from({ length: 10 });
    // Opens and uses all connections of the pool at the same time.
    await Promise.all(all.map(() => sql`select pg_sleep(0.05)`.execute(tables())));
    proxy.silence();
    const lost = await Promise.allSettled(all.map(() => database.ping()));
    for (const outcome of lost) {
      expect(outcome.status).toBe('rejected');
      const error: unknown = 'reason' in outcome ? outcome.reason : null;
      expect(toApiError(error)).toMatchObject({ status: 503, code: 'unavailable' });
    }
    await Promise.all(all.map(() => database.ping()));
  });

  test('a transaction fails, and its connection does not return to the pool', async () => {
    const transaction = tables()
      .transaction()
      .execute(async (inside) => {
        await sql`select 1`.execute(inside);
        proxy.silence();
        await sql`select 1`.execute(inside);
      });
    const error: unknown = await transaction.catch((thrown: unknown) => thrown);
    expect(toApiError(error)).toMatchObject({ status: 503, code: 'unavailable' });
    await database.ping();
  });

  test('a listener notices it although nothing is sent to it, and hears the next notifications', async () => {
    let isHeard = false;
    await database.listen('news', () => (isHeard = true));
    proxy.silence();
    await waitFor(async () => {
      await database.ping().catch(() => undefined);
      expect(warnings).toContain('The notification connection was lost.');
    });
    await waitFor(
      async () => {
        await database.notify('news', 'again');
        return isHeard;
      },
      { description: 'a notification after the connection was lost' },
    );
  });
});

test('a statement with a lifted time limit may exceed the response timeout', async () => {
  await tables()
    .transaction()
    .execute(async (transaction) => {
      await allowLongStatements(transaction);
      await sql`select pg_sleep(0.4)`.execute(transaction);
    });
  // On the same, single connection the limit applies again.
  await expect(sql`select pg_sleep(0.4)`.execute(tables())).rejects.toThrow('did not respond within 0.2 s');
});

describe('while the database is read-only', () => {
  beforeEach(async () => {
    await sql`create table if not exists notes (text text)`.execute(tables());
    await database.listen('news', () => undefined);
  });

  test('changes get 503 with Retry-After, readiness says why, and both recover although no connection is closed', async () => {
    const app = await createServer({ name: 'a', ready: () => database.ping() });
    app.post('/notes', async () => {
      await tables()
        .transaction()
        .execute((inside) => sql`insert into notes values ('a')`.execute(inside));
      return {};
    });
    const makeWritable = await makeReadOnly(database);
    await waitFor(async () => expect((await app.inject('/readyz')).body).toContain('read-only'));
    const refused = await app.inject({ method: 'POST', url: '/notes' });
    expect([refused.statusCode, refused.headers['retry-after']]).toEqual([503, '5']);
    expect(refused.json()).toMatchObject({
      errors: [
        { code: 'database_read_only', detail: expect.stringContaining('nothing was stored') as string },
      ],
    });
    expect((await app.inject('/readyz')).statusCode).toBe(503);

    await makeWritable();
    await waitFor(async () => {
      const answers = [await app.inject({ method: 'POST', url: '/notes' }), await app.inject('/readyz')];
      expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
    });
    await app.close();
  });

  test('a listener reconnects, because a standby sends no notifications', async () => {
    const makeWritable = await makeReadOnly(database);
    await waitFor(() => expect(warnings.length).toBeGreaterThan(1));
    warnings.length = 0;
    await waitFor(() => expect(warnings).toContain('The notification connection was lost.'));
    await makeWritable();
  });

  test('a process does not start, and says why', async () => {
    const makeWritable = await makeReadOnly(database);
    await expect(openDatabase({ url: server.url })).rejects.toThrow(
      /\(The database is read-only\.\)\. Connect DATABASE_URL to the primary server/,
    );
    await makeWritable();
  });
});
