import { EventEmitter, once } from 'node:events';
import { sql } from 'kysely';
import type pg from 'pg';
import { createServer } from './create-server.ts';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { createFindServer, serverUrls } from './postgres-servers.ts';
import { startPostgres } from './testing/start-postgres.ts';
import { waitFor } from './testing/wait-for.ts';

test.each([
  ['postgres://u:p@h:1/d', ['postgres://u:p@h:1/d']],
  ['postgres://u:p@a:1,b/d?c=1,2', ['postgres://u:p@a:1/d?c=1,2', 'postgres://u:p@b/d?c=1,2']],
  ['postgres://u:p,q@[::1]:1,b:2', ['postgres://u:p,q@[::1]:1', 'postgres://u:p,q@b:2']],
  ['postgres:///d?host=/run', ['postgres:///d?host=/run']],
  ['h1,h2', ['']],
])('the servers of %s are %j', (url, urls) => {
  expect(serverUrls(url)).toEqual(urls);
});

test('after the primary is killed, everything fails with 503, then continues on the promoted standby', async () => {
  const postgres = await startPostgres({ standby: true });
  const [primary = '', standby = ''] = serverUrls(postgres.url);
  const hosts = (first: string, second: string) => first.replace(/(?=\/site$)/, `,${new URL(second).host}`);
  const warnings: string[] = [];
  // The standby is the first of the list.
  const database = await openDatabase({
    url: hosts(standby, primary),
    onWarning: (message) => warnings.push(message),
    patience: { heartbeatMs: 50 },
  });
  const tables = database.schema<Record<string, never>>('public');
  const app = await createServer({ name: 'a', ready: () => database.ping() });
  app.post('/notes', async () => {
    await sql`insert into notes values (1)`.execute(tables);
    return {};
  });
  const write = () => app.inject({ method: 'POST', url: '/notes' });
  await sql`create table notes (number int)`.execute(tables);
  const heard: string[] = [];
  await database.listen('news', (payload) => heard.push(payload));
  expect((await write()).statusCode).toBe(200);

  postgres.kill();
  await waitFor(async () => {
    for (const answer of [await write(), await app.inject('/readyz')]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.body).toContain('No server in DATABASE_URL accepts writes');
      expect(answer.body).not.toContain('127.0.0.1');
    }
  });
  await expect(openDatabase({ url: postgres.url })).rejects.toThrow(
    /postgres:\/\/postgres:\*\*\*@.*ECONNREFUSED.*The database is read-only.*Connect DATABASE_URL to the primary/,
  );

  await postgres.promote();
  await waitFor(async () => {
    const answers = [await write(), await app.inject('/readyz')];
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([200, 200]);
  });
  await waitFor(async () => {
    await database.notify('news', 'again');
    return heard.includes('again');
  });

  // The old primary starts again and accepts writes: neither this process nor a new one uses it.
  await postgres.restart();
  const fresh = await openDatabase({ url: hosts(primary, standby) });
  for (const each of [database, fresh]) expect(await portsOf(each)).toEqual([new URL(standby).port]);
  await Promise.all([app.close(), fresh.close()]);
  await database.close();
  await postgres.stop();
});

test('a process leaves a primary that still accepts writes, with all its connections, when the standby is promoted', async () => {
  const postgres = await startPostgres({ standby: true });
  const [primary = '', standby = ''] = serverUrls(postgres.url);
  const database = await openDatabase({ url: postgres.url, onWarning: () => undefined });
  await sql`select 1`.execute(database.schema('public'));
  await postgres.promote();
  await waitFor(async () => expect(await portsOf(database)).toEqual([new URL(standby).port]));
  const old = await openDatabase({ url: primary });
  await waitFor(async () => {
    const others = sql`select from pg_stat_activity where application_name = 'site' and pid <> pg_backend_pid()`;
    expect((await others.execute(old.schema('public'))).rows).toEqual([]);
  });
  await Promise.all([database.close(), old.close()]);
  await postgres.stop();
});

test('a known process waits for slower servers too, and takes the highest timeline', async () => {
  const timelines: Record<string, number> = { old: 1, new: 0 };
  const probes = new EventEmitter();
  class Client extends EventEmitter {
    readonly connection = { stream: { destroy: jest.fn() } };
    host: string;
    constructor(host: string) {
      super();
      this.host = host;
    }
    connect = () => Promise.resolve();
    async query(text: string) {
      if (this.host === 'new' && timelines['new'] === 2 && text.includes('timeline'))
        await once(probes, 'old');
      if (!timelines[this.host]) throw new Error('The database is read-only.');
      return { rows: [{ timeline: timelines[this.host] }] };
    }
    end(): Promise<void> {
      if (this.host === 'old') setImmediate(() => probes.emit('old'));
      return Promise.resolve();
    }
  }
  const connect = (host: string) => new Client(host) as Client & pg.Client;
  const findServer = createFindServer(['old', 'new'], connect);
  const first = connect('');
  await findServer(first);
  expect(first.host).toBe('old');

  timelines['new'] = 2;
  const second = connect('');
  await findServer(second);
  expect(second.host).toBe('new');
  expect(first.connection.stream.destroy).toHaveBeenCalledTimes(1);
  expect(second.connection.stream.destroy).not.toHaveBeenCalled();
});

/** The servers of ten connections at the same time. */
async function portsOf(database: Database): Promise<string[]> {
  const connections = Array.from({ length: 10 }, () =>
    sql<{ port: string }>`select current_setting('port') as port, pg_sleep(0.05)`.execute(
      database.schema('public'),
    ),
  );
  const answers = await Promise.all(connections);
  return [...new Set(answers.flatMap(({ rows }) => rows.map(({ port }) => port)))];
}
