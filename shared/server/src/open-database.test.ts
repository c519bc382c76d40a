import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { databases, startDatabase, type TestDatabase } from './testing/each-database.ts';
import { openDatabase, type Migration } from './open-database.ts';
import { waitFor } from './testing/wait-for.ts';

interface Tables {
  things: { id: number; label: string; at: Date; total: number };
}

const migrations: Migration[] = [
  {
    name: '001-things',
    up: async (db) => {
      await db.schema
        .createTable('things')
        .addColumn('id', 'integer', (column) => column.primaryKey())
        .addColumn('label', 'text', (column) => column.notNull())
        .addColumn('at', 'timestamptz', (column) => column.notNull())
        .addColumn('total', 'bigint', (column) => column.notNull())
        .execute();
    },
  },
];

function signal(): { promise: Promise<void>; resolve: () => void } {
  let resolve = () => {};
  const promise = new Promise<void>((keep) => (resolve = keep));
  return { promise, resolve };
}

describe.each(databases)('$name', ({ name, start }) => {
  let shared: TestDatabase;
  beforeAll(async () => {
    shared = await start();
  });
  afterAll(() => shared.stop());

  test('runs each migration once, even if several instances start concurrently', async () => {
    const { database, url } = shared;
    const others = url ? await Promise.all([openDatabase({ url }), openDatabase({ url })]) : [];
    let runs = 0;
    const counted = migrations.map((migration) => ({
      ...migration,
      up: async (...args: Parameters<Migration['up']>) => {
        runs++;
        await migration.up(...args);
      },
    }));
    await Promise.all([database, database, ...others].map((instance) => instance.migrate('once', counted)));
    expect(runs).toBe(1);
    await Promise.all(others.map((instance) => instance.close()));
  });

  test('separates the tables and migrations of two schemas', async () => {
    const { database } = shared;
    await database.migrate('first', migrations);
    await database.migrate('second', migrations);
    const row = { id: 1, label: 'a', at: new Date('2024-02-15T00:00:00Z'), total: 12 };
    await database.schema<Tables>('first').insertInto('things').values(row).execute();
    expect(await database.schema<Tables>('first').selectFrom('things').selectAll().execute()).toEqual([row]);
    expect(await database.schema<Tables>('second').selectFrom('things').selectAll().execute()).toEqual([]);
  });

  test('rolls back a failed migration', async () => {
    const { database } = shared;
    const failing: Migration = {
      name: '002-fails',
      up: async (db) => {
        await sql`select 1 / 0`.execute(db);
      },
    };
    await expect(database.migrate('failing', [...migrations, failing])).rejects.toThrow('division by zero');
    await database.migrate('failing', migrations);
    expect(await database.schema<Tables>('failing').selectFrom('things').selectAll().execute()).toEqual([]);
  });

  test('accepts a database migrated by a newer version, but rejects a different history', async () => {
    const { database } = shared;
    const newer: Migration = { name: '002-newer', up: () => Promise.resolve() };
    await database.migrate('history', [...migrations, newer]);
    await database.migrate('history', migrations);
    await expect(
      database.migrate('history', [{ name: '000-other', up: () => Promise.resolve() }]),
    ).rejects.toMatchObject({
      code: 'migrations_differ',
      message: expect.stringMatching(/"001-things".* empty database/) as unknown,
    });
  });

  test.each([
    ['unordered', ['002-b', '001-a']],
    ['duplicate', ['001-a', '001-a']],
  ])('rejects %s migrations before it runs any', async (_what, names) => {
    const { database } = shared;
    let runs = 0;
    const listed = names.map((name) => ({ name, up: () => Promise.resolve(void (runs += 1)) }));
    await expect(database.migrate('unordered', listed)).rejects.toThrow(
      `The migrations of "unordered" are not in the order of their names: ${names.join(', ')}.`,
    );
    expect(runs).toBe(0);
  });

  test('delivers a notification to every listener of the channel until it stops', async () => {
    const { database } = shared;
    const heard: string[] = [];
    const first = signal();
    const stop = await database.listen('news', (payload) => {
      heard.push(payload);
      first.resolve();
    });
    await database.notify('elsewhere', 'not for us');
    await database.notify('news', 'it\'s "here"');
    await first.promise;
    await stop();
    const last = signal();
    const stopLast = await database.listen('news', () => last.resolve());
    await database.notify('news', 'too late');
    await last.promise;
    await stopLast();
    expect(heard).toEqual(['it\'s "here"']);
  });

  test('isolates concurrent transactions: a rollback does not affect the other', async () => {
    const { database } = shared;
    await database.migrate('apart', migrations);
    const db = database.schema<Tables>('apart');
    const insert = (id: number, label: string, fail: boolean) =>
      db.transaction().execute(async (transaction) => {
        await transaction.insertInto('things').values({ id, label, at: new Date(), total: 0 }).execute();
        if (fail) throw new Error('changed my mind');
      });
    const results = await Promise.allSettled([
      insert(1, 'kept', false),
      insert(2, 'gone', true),
      insert(3, 'kept', false),
    ]);
    expect(results.map((result) => result.status)).toEqual(['fulfilled', 'rejected', 'fulfilled']);
    const rows = await db.selectFrom('things').select('id').orderBy('id').execute();
    expect(rows.map((row) => row.id)).toEqual([1, 3]);
  });

  // The embedded database has no connection to lose.
  if (name === 'PostgreSQL') {
    test('a lost connection fails its transaction but not the process', async () => {
      const db = shared.database.schema<Tables>('lost');
      const isConnected = async (pid: number) => {
        const { rows } = await sql`select 1 from pg_stat_activity where pid = ${pid}`.execute(db);
        return rows.length > 0;
      };
      const transaction = db.transaction().execute(async (inside) => {
        const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(inside);
        const { pid } = rows[0]!;
        // No query is running: only the connection itself can report the loss.
        await sql`select pg_terminate_backend(${pid})`.execute(db);
        await waitFor(async () => !(await isConnected(pid)));
        await sql`select 1`.execute(inside);
      });
      // Depending on timing: the server's message, the end of the connection, or none at all.
      await expect(transaction).rejects.toThrow(/terminat|ECONNRESET|not queryable/);
      await shared.database.ping();
    });
  }
});

test('names the missing permission of a database user', async () => {
  const { url, database, stop } = await startDatabase();
  const root = database.schema<never>('public');
  const role = `reader_${randomUUID().replaceAll('-', '')}`;
  await sql.raw(`create role ${role} login password 'secret'`).execute(root);
  const theirs = new URL(url);
  theirs.username = role;
  theirs.password = 'secret';
  const limited = await openDatabase({ url: theirs.href });
  await expect(limited.migrate('gateway', migrations)).rejects.toMatchObject({
    code: 'permission_missing',
    message: expect.stringMatching(/create the schema "gateway".*grant create on database/) as string,
  });
  await limited.close();
  await sql.raw(`drop role ${role}`).execute(root);
  await stop();
});

test('reports an unreachable server without its password', async () => {
  const opening = openDatabase({ url: 'postgres://someone:secret@127.0.0.1:1/site' });
  await expect(opening).rejects.toMatchObject({ code: 'server_unreachable' });
  await expect(opening).rejects.toThrow('postgres://someone:***@127.0.0.1:1/site');
});
