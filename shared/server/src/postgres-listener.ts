import type pg from 'pg';
import type { OnWarning } from './database.ts';

const RECONNECT_MS = 1_000;
const HEARTBEAT_MS = 10_000;

/**
 * One connection of its own for LISTEN, opened at the first use and opened again whenever it is lost. It is idle by nature, so a firewall or
 * load balancer may forget it without a word to either side: a query at intervals finds that out.
 *
 * @param createClient a client that drops its connection when a query is not answered.
 */
export function createListener(
  createClient: () => pg.Client,
  onWarning: OnWarning,
  heartbeatMs = HEARTBEAT_MS,
) {
  const callbacks = new Map<string, Set<(payload: string) => void>>();
  let connecting: Promise<pg.Client> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let closed = false;
  let last: Promise<unknown> = Promise.resolve();

  /** A connection takes one query after the other. */
  function query(client: pg.Client, text: string): Promise<unknown> {
    const own = last.then(() => client.query(text));
    last = own.catch(() => undefined);
    return own;
  }

  async function connect(): Promise<pg.Client> {
    const client = createClient();
    let isCurrent = false;
    let failure: { error: unknown } | undefined;
    // A failure reaches `lost` by the client's events.
    const heartbeat = setInterval(() => {
      if (isCurrent) query(client, 'select 1').catch(() => undefined);
    }, heartbeatMs).unref();
    const lost = (error: unknown) => {
      failure ??= { error };
      clearInterval(heartbeat);
      // Until it is open, its opener gets the error. A connection reports its end twice, and one that was given up ends
      // later: there may be another one by then.
      if (!isCurrent || closed) return;
      isCurrent = false;
      connecting = undefined;
      giveUp(client);
      onWarning('The connection that listens for notifications was lost.', error);
      scheduleReconnect();
    };
    client.on('error', lost);
    client.on('end', () => lost(new Error('The server ended the connection.')));
    client.on('notification', ({ channel, payload }) => {
      for (const callback of callbacks.get(channel) ?? []) callback(payload ?? '');
    });
    try {
      await open(client);
      // The end may come together with the last answer.
      if (failure) throw failure.error;
    } catch (error) {
      clearInterval(heartbeat);
      giveUp(client);
      throw error;
    }
    isCurrent = true;
    return client;
  }

  /**
   * A server that takes connections and refuses LISTEN, as one in recovery does, would keep one for each try. The end is not waited for:
   * a server that does not answer would hold up the next try.
   */
  function giveUp(client: pg.Client): void {
    client.end().catch(() => undefined);
  }

  async function open(client: pg.Client): Promise<void> {
    await client.connect();
    // Like the other connections of a database it keeps no process alive. The types of pg do not know this method.
    (client as pg.Client & { unref(): void }).unref();
    for (const channel of callbacks.keys()) await query(client, `listen ${channel}`);
  }

  function connected(): Promise<pg.Client> {
    connecting ??= connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  /** One at a time, which `close` can end. */
  function scheduleReconnect(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      connected().catch((error: unknown) => {
        if (closed) return;
        onWarning('The connection that listens for notifications cannot be opened again.', error);
        scheduleReconnect();
      });
    }, RECONNECT_MS);
  }

  return {
    async listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>> {
      const known = callbacks.get(channel) ?? new Set();
      callbacks.set(channel, known.add(onPayload));
      /** @returns whether nobody else listens to the channel. */
      const forget = () => {
        known.delete(onPayload);
        return known.size === 0 && callbacks.delete(channel);
      };
      try {
        await query(await connected(), `listen ${channel}`);
      } catch (error) {
        forget();
        throw error;
      }
      return async () => {
        if (!forget() || closed) return;
        await connecting?.then((current) => query(current, `unlisten ${channel}`)).catch(() => undefined);
      };
    },
    async close(): Promise<void> {
      closed = true;
      clearTimeout(timer);
      await connecting?.then((client) => client.end()).catch(() => undefined);
    },
  };
}
