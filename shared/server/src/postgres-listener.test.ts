import { sql } from 'kysely';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { newPostgresDatabase, type PostgresDatabase } from './testing/each-database.ts';

let server: PostgresDatabase;
let database: Database;
let warnings: string[];
/** Calls that wait until a warning has come. */
let onWarning: () => void;

beforeAll(async () => {
  server = await newPostgresDatabase();
});
afterAll(() => server.drop());
beforeEach(async () => {
  warnings = [];
  onWarning = () => undefined;
  database = await openDatabase({
    url: server.url,
    onWarning: (message) => {
      warnings.push(message);
      onWarning();
    },
  });
});
afterEach(() => database.close());

const tables = () => database.schema<Record<string, never>>('public');

/** Ends the connections that listen, as a restart of the server or a broken network would. */
async function cutListeners(): Promise<number> {
  const lost = new Promise<void>((resolve) => (onWarning = resolve));
  const { rows } = await sql<{ cut: boolean }>`
    select pg_terminate_backend(pid) as cut from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid() and lower(query) like '%listen %'`.execute(
    tables(),
  );
  await lost;
  return rows.length;
}

/** Sends again and again until it is heard: what is sent while the connection is away is lost, as documented. */
async function notifyUntil(channel: string, heard: Promise<void>): Promise<void> {
  const settled = heard.then(() => true);
  // A query's way to the server and back is the pause.
  const pause = () => sql`select pg_sleep(0.05)`.execute(tables()).then(() => false);
  do await database.notify(channel, 'again');
  while (!(await Promise.race([settled, pause()])));
}

test('a listener whose connection was cut hears again, on each of its channels, once per notification', async () => {
  const heard: Record<'news' | 'weather', string[]> = { news: [], weather: [] };
  const wakes: Record<string, () => void> = {};
  const next = (channel: string) => new Promise<void>((resolve) => (wakes[channel] = resolve));
  for (const channel of ['news', 'weather'] as const) {
    await database.listen(channel, (payload) => {
      heard[channel].push(payload);
      wakes[channel]?.();
    });
  }
  const first = next('news');
  await database.notify('news', 'before');
  await first;

  expect(await cutListeners()).toBe(1);
  expect(warnings).toEqual(['The connection that listens for notifications was lost.']);
  await notifyUntil('news', next('news'));
  await notifyUntil('weather', next('weather'));

  heard.news.length = 0;
  const last = next('news');
  await database.notify('news', 'once');
  await last;
  await database.notify('weather', 'flush');
  await notifyUntil('weather', next('weather'));
  expect(heard.news.filter((payload) => payload === 'once')).toEqual(['once']);
});

test('a channel that nobody listens to any more is not taken up again', async () => {
  const heard: string[] = [];
  const stop = await database.listen('news', (payload) => heard.push(payload));
  await database.listen('weather', () => undefined);
  await stop();
  await cutListeners();
  let woken = () => {};
  const again = new Promise<void>((resolve) => (woken = resolve));
  await database.listen('weather', () => woken());
  await notifyUntil('weather', again);
  await database.notify('news', 'too late');
  const flushed = new Promise<void>((resolve) => (woken = resolve));
  await notifyUntil('weather', flushed);
  expect(heard).toEqual([]);
  expect(warnings).toEqual(['The connection that listens for notifications was lost.']);
});

test('queries go on after their connections were cut', async () => {
  await sql`select 1`.execute(tables());
  const lost = new Promise<void>((resolve) => (onWarning = resolve));
  const other = await openDatabase({ url: server.url });
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and pid <> pg_backend_pid()`.execute(
    other.schema<Record<string, never>>('public'),
  );
  await other.close();
  await lost;
  await database.ping();
  expect(warnings).toEqual(['An idle database connection was lost.']);
});
