import type pg from 'pg';
import type { OnWarning } from './database.ts';

const RECONNECT_MS = 1_000;

/** One connection of its own for LISTEN, opened at the first use and opened again whenever it is lost. */
export function createListener(createClient: () => pg.Client, onWarning: OnWarning) {
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
    let isLost = false;
    const lost = (error: unknown) => {
      // A connection reports its end twice: the second time there may be another one already.
      if (isLost || closed || !connecting) return;
      isLost = true;
      connecting = undefined;
      onWarning('The connection that listens for notifications was lost.', error);
      scheduleReconnect();
    };
    client.on('error', lost);
    client.on('end', () => lost(new Error('The server ended the connection.')));
    client.on('notification', ({ channel, payload }) => {
      for (const callback of callbacks.get(channel) ?? []) callback(payload ?? '');
    });
    await client.connect();
    // Like the other connections of a database it keeps no process alive. The types of pg do not know this method.
    (client as pg.Client & { unref(): void }).unref();
    for (const channel of callbacks.keys()) await query(client, `listen ${channel}`);
    return client;
  }

  function connected(): Promise<pg.Client> {
    connecting ??= connect().catch((error: unknown) => {
      connecting = undefined;
      throw error;
    });
    return connecting;
  }

  function scheduleReconnect(): void {
    timer = setTimeout(() => {
      connected().catch((error: unknown) => {
        onWarning('The connection that listens for notifications cannot be opened again.', error);
        if (!closed) scheduleReconnect();
      });
    }, RECONNECT_MS);
  }

  return {
    async listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>> {
      const known = callbacks.get(channel) ?? new Set();
      callbacks.set(channel, known.add(onPayload));
      const client = await connected();
      await query(client, `listen ${channel}`);
      return async () => {
        known.delete(onPayload);
        if (known.size > 0 || closed) return;
        callbacks.delete(channel);
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
