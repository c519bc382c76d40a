import { EventEmitter } from 'node:events';
import { sql } from 'kysely';
import pg from 'pg';
import type { Database } from './database.ts';
import { openDatabase } from './open-database.ts';
import { createListener } from './postgres-listener.ts';
import { newPostgresDatabase, type PostgresDatabase } from './testing/each-database.ts';
import { waitFor } from './testing/wait-for.ts';

let server: PostgresDatabase;
let database: Database;
let warnings: string[];
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

/** Cuts listening connections, like a server restart or a network failure. */
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

/** Sends repeatedly until received, because notifications are lost while disconnected. */
async function notifyUntil(channel: string, heard: Promise<void>): Promise<void> {
  const settled = heard.then(() => true);
  // The pause is a query's round trip.
  const pause = () => sql`select pg_sleep(0.05)`.execute(tables()).then(() => false);
  await waitFor(async () => {
    await database.notify(channel, 'again');
    return Promise.race([settled, pause()]);
  });
}

test('a listener with a cut connection gets notifications again, on each channel, once each', async () => {
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
  expect(warnings).toEqual(['The notification connection was lost.']);
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

test('a channel without listeners is not subscribed again', async () => {
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
  expect(warnings).toEqual(['The notification connection was lost.']);
});

test('queries continue after their connections were cut', async () => {
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

test('a connection whose LISTEN is rejected is closed', async () => {
  const name = 'refused';
  const connection = { connectionString: server.url, application_name: name };
  const listener = createListener(
    () => new pg.Client(connection),
    () => undefined,
  );
  // An invalid channel name: the server connects and rejects LISTEN.
  await expect(listener.listen('no name', () => undefined)).rejects.toThrow('syntax error');
  const isOpen = async () => {
    const { rows } = await sql`select pid from pg_stat_activity where application_name = ${name}`.execute(
      tables(),
    );
    return rows.length > 0;
  };
  await waitFor(async () => !(await isOpen()));
  await listener.close();
});

describe('while a server accepts connections and rejects LISTEN', () => {
  const CANNOT = 'The notification connection cannot be reopened.';
  const LOST = 'The notification connection was lost.';
  const TRY_MS = 1_000;

  class Client extends EventEmitter {
    isEnded = false;
    connect = () => Promise.resolve();
    unref = () => undefined;
    query = () => onListen(this);
    end() {
      this.isEnded = true;
      return Promise.resolve();
    }
  }
  let clients: Client[];
  let onListen: (client: Client) => Promise<unknown>;
  let listener: ReturnType<typeof createListener>;

  beforeEach(async () => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask', 'setImmediate'] });
    clients = [];
    onListen = () => Promise.resolve();
    const createClient = () => {
      const client = new Client();
      clients.push(client);
      return client as unknown as pg.Client;
    };
    listener = createListener(createClient, (message) => warnings.push(message));
    await listener.listen('news', () => undefined);
  });
  afterEach(() => jest.useRealTimers());

  async function pass(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const open = () => clients.flatMap(({ isEnded }, index) => (isEnded ? [] : [index]));

  test('each attempt is closed, and one that closes late does not affect its successor', async () => {
    onListen = () => Promise.reject(new Error('cannot execute LISTEN during recovery'));
    clients[0]?.emit('end');
    for (let tries = 0; tries < 3; tries += 1) await pass(TRY_MS);
    expect([clients.length, open()]).toEqual([4, []]);
    onListen = () => Promise.resolve();
    await pass(TRY_MS);
    expect([clients.length, open()]).toEqual([5, [4]]);
    for (const client of clients.slice(0, 4)) client.emit('end');
    await pass(10 * TRY_MS);
    expect([clients.length, open()]).toEqual([5, [4]]);
    expect(warnings).toEqual([LOST, CANNOT, CANNOT, CANNOT]);
    await listener.close();
    expect(open()).toEqual([]);
  });

  test('a connection lost in the meantime is retried once, and not after the listener was closed', async () => {
    onListen = (client) => {
      const error = new Error('Connection terminated unexpectedly');
      client.emit('error', error);
      client.emit('end');
      return Promise.reject(error);
    };
    clients[0]?.emit('error', new Error('Connection terminated unexpectedly'));
    for (let tries = 0; tries < 3; tries += 1) await pass(TRY_MS);
    expect(clients).toHaveLength(4);
    expect(warnings).toEqual([LOST, CANNOT, CANNOT, CANNOT]);
    await listener.close();
    await pass(10 * TRY_MS);
    expect(clients).toHaveLength(4);
  });

  test('a connection that another caller opened before the next attempt and that is lost as well is retried once', async () => {
    clients[0]?.emit('end');
    await listener.listen('weather', () => undefined);
    clients[1]?.emit('end');
    expect(clients).toHaveLength(2);
    await listener.close();
    await pass(10 * TRY_MS);
    expect(clients).toHaveLength(2);
    expect(warnings).toEqual([LOST, LOST]);
  });

  test('a rejected listener gets no later notifications', async () => {
    const heard: string[] = [];
    onListen = () => Promise.reject(new Error('cannot execute LISTEN during recovery'));
    await expect(listener.listen('weather', (payload) => heard.push(payload))).rejects.toThrow('recovery');
    onListen = () => Promise.resolve();
    await listener.listen('weather', (payload) => heard.push(`${payload} again`));
    clients[0]?.emit('notification', { channel: 'weather', payload: 'rain' });
    expect(heard).toEqual(['rain again']);
    await listener.close();
  });

  test('a connection lost with its last response does not count as open', async () => {
    clients[0]?.emit('end');
    onListen = (client) => {
      client.emit('error', new Error('terminating connection due to administrator command'));
      return Promise.resolve();
    };
    await pass(TRY_MS);
    onListen = () => Promise.resolve();
    await pass(TRY_MS);
    expect([clients.length, open()]).toEqual([3, [2]]);
    expect(warnings).toEqual([LOST, CANNOT]);
    await listener.close();
  });
});
