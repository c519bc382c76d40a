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
  await waitFor(async () => {
    await database.notify(channel, 'again');
    return Promise.race([settled, pause()]);
  });
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

test('a connection on which LISTEN is refused does not stay open', async () => {
  const name = 'refused';
  const connection = { connectionString: server.url, application_name: name };
  const listener = createListener(
    () => new pg.Client(connection),
    () => undefined,
  );
  // No channel has such a name: the server connects, and then refuses.
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

describe('while a server takes connections and does not let them listen', () => {
  const CANNOT = 'The connection that listens for notifications cannot be opened again.';
  const LOST = 'The connection that listens for notifications was lost.';
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

  /** Lets this time pass, and what was begun by then come to its end. */
  async function pass(ms: number): Promise<void> {
    jest.advanceTimersByTime(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
  const open = () => clients.flatMap(({ isEnded }, index) => (isEnded ? [] : [index]));

  test('each try is ended, and one that ends late does no harm to the connection that came after it', async () => {
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

  test('one that is lost meanwhile is tried again once, and not after the listener was closed', async () => {
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

  test('one that somebody else opened before the next try, and that is lost as well, is tried again once', async () => {
    clients[0]?.emit('end');
    await listener.listen('weather', () => undefined);
    clients[1]?.emit('end');
    expect(clients).toHaveLength(2);
    await listener.close();
    await pass(10 * TRY_MS);
    expect(clients).toHaveLength(2);
    expect(warnings).toEqual([LOST, LOST]);
  });

  test('whoever was refused hears nothing later', async () => {
    const heard: string[] = [];
    onListen = () => Promise.reject(new Error('cannot execute LISTEN during recovery'));
    await expect(listener.listen('weather', (payload) => heard.push(payload))).rejects.toThrow('recovery');
    onListen = () => Promise.resolve();
    await listener.listen('weather', (payload) => heard.push(`${payload} again`));
    clients[0]?.emit('notification', { channel: 'weather', payload: 'rain' });
    expect(heard).toEqual(['rain again']);
    await listener.close();
  });

  test('one that is lost with its last answer is not taken for open', async () => {
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
