import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { connect, createServer, type AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createToken } from '@site/server/secrets';
import { serverUrls } from '@site/server/postgres-servers';
import { runService } from '@site/server/testing/run-service';
import { startPostgres } from '@site/server/testing/start-postgres';
import { waitFor } from '@site/server/testing/wait-for';
import { startPair } from '../../services/harness/service-pair.ts';
import { newGuest, writes } from '../../services/harness/visitor-calls.ts';

/** Concurrent clients of each process. */
const CLIENTS = 4;
const WRITES_BEFORE = 50;
const WRITES_AFTER = 10;

const processes = ['registry', 'gateway', 'forms'] as const;
type ProcessName = (typeof processes)[number];

/** The IDs of the acknowledged writes of each process. */
const storedIds: Record<ProcessName, string> = {
  registry: 'select name as id from registry.tokens',
  gateway: 'select unique_id as id from gateway.guests',
  forms: 'select id from forms.subscriptions',
};

export interface FailoverOptions {
  synchronous: boolean;
  /** How late the standby receives changes. */
  lagMs?: number;
  durable?: boolean;
}

export interface Failover {
  /** From the command to promote until it is done, and until each process acknowledges a write again. */
  promotedMs: number;
  againMs: Record<ProcessName, number>;
  acknowledged: number;
  /** Acknowledged writes that the promoted server lacks. */
  lost: number;
  /** `/readyz` of each process before the promotion: status and `Retry-After`. */
  readiness: [number, string | null][];
}

/**
 * Kills the primary while registry, gateway and forms write to it, then promotes its standby. The processes are not
 * restarted.
 */
export async function failOver(options: FailoverOptions): Promise<Failover> {
  const stops: Stop[] = [];
  try {
    return await run(options, stops);
  } finally {
    for (const stop of stops.reverse()) await stop();
  }
}

type Stop = () => unknown;

async function run(
  { synchronous, lagMs = 0, durable = false }: FailoverOptions,
  stops: Stop[],
): Promise<Failover> {
  const folder = await mkdtemp(join(tmpdir(), 'site-failover-'));
  stops.push(() => rm(folder, { recursive: true, force: true }));
  const postgres = await startPostgres({ durable, standby: true });
  stops.push(() => postgres.stop());
  const [primary = '', standby = ''] = serverUrls(postgres.url);
  const link = await delayedLink(Number(new URL(primary).port), lagMs);
  stops.push(() => link.close());
  await query(
    standby,
    `alter system set primary_conninfo = '${conninfo(link.port)}'`,
    'select pg_reload_conf()',
  );
  if (synchronous)
    await query(primary, "alter system set synchronous_standby_names = '*'", 'select pg_reload_conf()');
  await waitFor(async () => {
    const [row] = await query(primary, 'select sync_state as id from pg_stat_replication');
    return row?.id === (synchronous ? 'sync' : 'async');
  });

  const opsToken = createToken();
  const registry = await runService(
    'delivery/registry/src/main.ts',
    {
      PATH: process.env['PATH'] ?? '',
      DATABASE_URL: `${postgres.url}?target_session_attrs=read-write`,
      DATA_DIR: join(folder, 'registry'),
      ARTIFACTS: join(folder, 'artifacts'),
      OPS_TOKEN: opsToken,
    },
    'registry: ',
  );
  stops.push(() => registry.end('SIGTERM'));
  const pair = await startPair(() => ({ DATABASE_URL: postgres.url }));
  stops.push(() => pair.end());
  const urls = { registry: registry.url, gateway: pair.gateway.url, forms: pair.forms.url };
  const guest = await newGuest(urls.gateway);
  const write: Record<ProcessName, () => Promise<string | null>> = {
    async registry() {
      const name = `t-${randomUUID()}`;
      const answer = await fetch(`${urls.registry}/v1/tokens`, {
        method: 'POST',
        headers: { authorization: `Bearer ${opsToken}`, 'content-type': 'application/json' },
        body: JSON.stringify({ name, scopes: ['read'] }),
      });
      await answer.arrayBuffer();
      return answer.status === 201 ? name : null;
    },
    async gateway() {
      const id = randomUUID();
      return (await writes.createGuest(urls.gateway, id)).status === 201 ? id : null;
    },
    async forms() {
      const answer = await writes.subscribe(urls.forms, guest, `${randomUUID()}@example.com`);
      return answer.status === 201 ? answer.id : null;
    },
  };

  const acknowledged: { name: ProcessName; id: string; sent: number; at: number }[] = [];
  let isOver = false;
  stops.push(() => void (isOver = true));
  const clients = Promise.all(
    processes.flatMap((name) =>
      Array.from({ length: CLIENTS }, async () => {
        while (!isOver) {
          const sent = performance.now();
          const id = await write[name]();
          if (id === null) await sleep(5);
          else acknowledged.push({ name, id, sent, at: performance.now() });
        }
      }),
    ),
  );
  const sentAfter = (time: number, name: ProcessName) =>
    acknowledged.filter((each) => each.name === name && each.sent > time);
  const everyProcessWrites = (count: number, time: number) => {
    const done = waitFor(() => processes.every((name) => sentAfter(time, name).length >= count), {
      description: `${count} writes of each process`,
    });
    return Promise.race([done, clients]);
  };

  await everyProcessWrites(WRITES_BEFORE, 0);
  postgres.kill();
  const readiness = await Promise.all(processes.map((name) => unready(`${urls[name]}/readyz`)));
  const promoting = performance.now();
  await postgres.promote();
  const promotedMs = performance.now() - promoting;
  await everyProcessWrites(WRITES_AFTER, promoting);
  isOver = true;
  await clients;

  const stored = new Set<string>();
  for (const name of processes) for (const { id } of await query(standby, storedIds[name])) stored.add(id);
  const againMs = (name: ProcessName) =>
    Math.min(...sentAfter(promoting, name).map(({ at }) => at)) - promoting;
  return {
    promotedMs,
    againMs: { registry: againMs('registry'), gateway: againMs('gateway'), forms: againMs('forms') },
    acknowledged: acknowledged.length,
    lost: acknowledged.filter(({ id }) => !stored.has(id)).length,
    readiness,
  };
}

/** Waits until the process reports that no server accepts writes. @returns status and `Retry-After`. */
async function unready(url: string): Promise<[number, string | null]> {
  let answer: Response | undefined;
  await waitFor(async () => {
    answer = await fetch(url);
    return (await answer.text()).includes('No server in DATABASE_URL accepts writes');
  });
  return [answer?.status ?? 0, answer?.headers.get('retry-after') ?? null];
}

async function query(url: string, ...statements: string[]): Promise<{ id: string }[]> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    let rows: { id: string }[] = [];
    for (const statement of statements) ({ rows } = await client.query<{ id: string }>(statement));
    return rows;
  } finally {
    await client.end();
  }
}

const conninfo = (port: number) => `host=127.0.0.1 port=${port} user=postgres password=postgres`;

/** Forwards each chunk to the standby late; those that wait when the primary ends are lost. */
async function delayedLink(target: number, lagMs: number): Promise<{ port: number; close(): Promise<void> }> {
  const link = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: target, host: '127.0.0.1', noDelay: true });
    client.on('data', (bytes) => upstream.write(bytes));
    upstream.on('data', (bytes) => {
      if (lagMs === 0) client.write(bytes);
      else setTimeout(() => client.write(bytes), lagMs);
    });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      socket.on('error', () => undefined);
      socket.on('close', () => other.destroy());
    }
  });
  link.listen(0, '127.0.0.1');
  await once(link, 'listening');
  return {
    port: (link.address() as AddressInfo).port,
    async close() {
      link.close();
      await once(link, 'close');
    },
  };
}
