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

export type FindServer = () => Promise<Pick<pg.Client, 'host' | 'port'>>;

/** A promotion increases the timeline, so a restarted old primary has a lower one. */
const TIMELINE = "select ('x' || left(pg_walfile_name(pg_current_wal_lsn()), 8))::bit(32)::int as timeline";

/**
 * Finds the server that accepts writes, as libpq does with `target_session_attrs=read-write`, which pg ignores. It never
 * returns to a server with an earlier timeline than that of the last one.
 * @throws NoWritableServerError
 */
export function createFindServer(
  urls: readonly string[],
  createClient: (url: string) => pg.Client,
): FindServer {
  let newest = 0;
  let finding: ReturnType<FindServer> | undefined;

  async function probe(url: string) {
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

  async function find() {
    const probes = urls.map(probe);
    const first = await Promise.any(probes).catch((error: unknown) => {
      const reasons = ((error as AggregateError).errors as Error[]).map(({ message }) => message).join('; ');
      throw new NoWritableServerError(`No server in DATABASE_URL accepts writes (${reasons}).`);
    });
    // A new process compares all servers, because an old primary may still accept writes.
    const writable = newest > 0 ? [] : await Promise.allSettled(probes);
    const best = writable
      .flatMap((each) => (each.status === 'fulfilled' ? [each.value] : []))
      .reduce((one, other) => (other.timeline > one.timeline ? other : one), first);
    newest = best.timeline;
    return best;
  }

  return () => (finding ??= find().finally(() => (finding = undefined)));
}
