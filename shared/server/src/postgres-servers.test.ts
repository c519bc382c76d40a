import { sql } from 'kysely';
import { createServer } from './create-server.ts';
import { openDatabase } from './open-database.ts';
import { serverUrls } from './postgres-servers.ts';
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

test('after the primary is killed, everything fails with Retry-After, then continues on the promoted standby', async () => {
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
      expect([answer.statusCode, answer.headers['retry-after']]).toEqual([503, '5']);
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
  for (const each of [database, fresh]) {
    const connections = Array.from({ length: 10 }, () =>
      sql<{ port: string }>`select current_setting('port') as port, pg_sleep(0.05)`.execute(
        each.schema('public'),
      ),
    );
    const ports = (await Promise.all(connections)).flatMap(({ rows }) => rows.map(({ port }) => port));
    expect(new Set(ports)).toEqual(new Set([new URL(standby).port]));
  }
  await Promise.all([app.close(), fresh.close()]);
  await database.close();
  await postgres.stop();
});
