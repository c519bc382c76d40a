import type pg from 'pg';
import type { OnWarning } from './database.ts';
import { REQUIRE_WRITABLE } from './read-only.ts';

const RECONNECT_MS = 1_000;
const HEARTBEAT_MS = 10_000;

/**
 * A dedicated connection for LISTEN, opened on first use and reopened when lost. It is idle, so a firewall or
 * load balancer may drop it silently: a periodic query detects that.
 * @param createClient a client that drops its connection if a query gets no response.
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

  function query(client: pg.Client, text: string): Promise<unknown> {
    const own = last.then(() => client.query(text));
    last = own.catch(() => undefined);
    return own;
  }

  async function connect(): Promise<pg.Client> {
    const client = createClient();
    let isCurrent = false;
    let failure: { error: unknown } | undefined;
    // A server that became a standby sends no more notifications.
    const heartbeat = setInterval(() => {
      if (isCurrent) query(client, REQUIRE_WRITABLE).catch((error: unknown) => lost(error));
    }, heartbeatMs).unref();
    const lost = (error: unknown) => {
      failure ??= { error };
      clearInterval(heartbeat);
      // While opening, the opener gets the error. A connection reports its end twice, and an abandoned one
      // ends late: it may have a successor by then.
      if (!isCurrent || closed) return;
      isCurrent = false;
      connecting = undefined;
      giveUp(client);
      onWarning('The notification connection was lost.', error);
      scheduleReconnect();
    };
    client.on('error', lost);
    client.on('end', () => lost(new Error('The server closed the connection.')));
    client.on('notification', ({ channel, payload }) => {
      for (const callback of callbacks.get(channel) ?? []) callback(payload ?? '');
    });
    try {
      await open(client);
      // The connection may end together with the last response.
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
   * Closes a connection whose LISTEN failed, as on a server in recovery; otherwise each attempt would leave
   * one open. Not awaited, because an unresponsive server would delay the next attempt.
   */
  function giveUp(client: pg.Client): void {
    client.end().catch(() => undefined);
  }

  async function open(client: pg.Client): Promise<void> {
    await client.connect();
    // Does not keep the process alive. Missing in the types of pg.
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

  /** One timer at a time, which `close` clears. */
  function scheduleReconnect(): void {
    timer ??= setTimeout(() => {
      timer = undefined;
      connected().catch((error: unknown) => {
        if (closed) return;
        onWarning('The notification connection cannot be reopened.', error);
        scheduleReconnect();
      });
    }, RECONNECT_MS);
  }

  return {
    async listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>> {
      const known = callbacks.get(channel) ?? new Set();
      callbacks.set(channel, known.add(onPayload));
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
