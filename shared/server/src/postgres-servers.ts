import { setTimeout as sleep } from 'node:timers/promises';
import type pg from 'pg';
import { REQUIRE_WRITABLE } from './read-only.ts';

/** The URLs of the servers in `postgres://user:password@host1:5432,host2:5432/site`, which pg does not support. */
export function serverUrls(url: string): string[] {
  const [, start = '', hosts = '', rest = ''] = /^([^:]*:\/\/(?:[^/?#]*@)?)([^/?#]*)([^]*)$/.exec(url) ?? [];
  return hosts.split(',').map((host) => start + host + rest);
}

export class NoWritableServerError extends Error {
  override readonly name = 'NoWritableServerError';
}

/** Sets host and port of a new client. */
export type FindServer = (client: pg.Client) => Promise<void>;

interface Server extends Pick<pg.Client, 'host' | 'port'> {
  timeline: number;
}

/** With the start of a message of pg, which `toApiError` knows. */
export function dropConnection(client: pg.Client, reason: string): void {
  client.connection.stream.destroy(new Error(`Connection terminated: ${reason}`));
}

/** An unreachable server must not delay new connections by the whole connection timeout. */
const LATE_PROBE_MS = 1_000;

/** A promotion increases the timeline, so a restarted old primary has a lower one. */
const TIMELINE = "select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline";

/**
 * Finds the server that accepts writes, as libpq does with `target_session_attrs=read-write`, which pg ignores. A
 * replaced primary may still accept writes: the highest timeline wins, and connections to servers with an earlier
 * one are dropped.
 * @throws NoWritableServerError
 */
export function createFindServer(
  urls: readonly string[],
  createClient: (url: string) => pg.Client,
): FindServer {
  let newest = 0;
  let finding: Promise<Server> | undefined;
  const clients = new Set<pg.Client>();

  async function probe(url: string): Promise<Server> {
    const client = createClient(url);
    client.on('error', () => undefined);
    const { host, port } = client;
    try {
      await client.connect();
      await client.query(REQUIRE_WRITABLE);
      const { rows } = await client.query<{ timeline: number }>(TIMELINE);
      const timeline = rows[0]?.timeline ?? 0;
      if (timeline < newest) throw new Error('It was replaced by a promoted server.');
      return { host, port, timeline };
    } catch (cause) {
      const { message, code } = cause as NodeJS.ErrnoException;
      throw new Error(`${host}:${port}: ${message || code}`, { cause });
    } finally {
      client.end().catch(() => undefined);
    }
  }

  async function find(): Promise<Server> {
    const found: Server[] = [];
    const probes = urls.map(async (url) => found.push(await probe(url)));
    await Promise.any(probes).catch((error: unknown) => {
      const reasons = ((error as AggregateError).errors as Error[]).map(({ message }) => message).join('; ');
      throw new NoWritableServerError(`No server in DATABASE_URL accepts writes (${reasons}).`);
    });
    const all = Promise.allSettled(probes);
    // A new process has no timeline to compare with.
    await (newest > 0 ? Promise.race([all, sleep(LATE_PROBE_MS, undefined, { ref: false })]) : all);
    const best = found.reduce((one, other) => (other.timeline > one.timeline ? other : one));
    if (best.timeline > newest)
      for (const client of clients) dropConnection(client, 'its server was replaced by a promoted one.');
    newest = best.timeline;
    return best;
  }

  return async (client) => {
    const { host, port } = await (finding ??= find().finally(() => (finding = undefined)));
    Object.assign(client, { host, port });
    clients.add(client);
    client.once('end', () => clients.delete(client));
  };
}
