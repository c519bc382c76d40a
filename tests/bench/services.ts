/**
 * `npm run bench:services`: requests per second and latency of guest creation, renewal and subscription, on PGlite and
 * on PostgreSQL, compared with a bare Fastify route in the same run. Each server is a separate process. Prints a table
 * and saves it in `docs/benchmarks.md`.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { cpus, loadavg, tmpdir } from 'node:os';
import { join } from 'node:path';
import { formSources } from '@site/contract';
import { runService } from '@site/server/testing/run-service';
import { startPostgres } from '@site/server/testing/start-postgres';
import { measure, send, type Measured } from './load.ts';
import { keepSection } from './keep-section.ts';
import { table } from './table.ts';

/** `npm run bench:services -- 100` is a short run, which is not saved. */
const asked = process.argv[2];
const load = { count: Number(asked ?? 3_000), connections: 16 };
const guests = 500;
/** Other load on the machine before the run. */
const busy = loadavg()[0] ?? 0;

interface Row extends Measured {
  what: string;
  database: string;
}

async function main(): Promise<void> {
  const bare = await runService('tests/bench/bare-server.ts', {});
  const body = { unique_id: randomUUID(), user_unique_id: randomUUID() };
  const measureBare = () => measure(() => ({ url: `${bare.url}/bare`, body, expect: 200 }), load);
  // Measures the upper bound before, between and after the others and takes the best, which has the least interference.
  const ceilings = [await measureBare()];
  const rows: Row[] = [];

  const folder = await mkdtemp(join(tmpdir(), 'site-bench-'));
  rows.push(
    ...(await measureServices('PGlite', (service): Record<string, string> => ({
      DATA_DIR: join(folder, service),
    }))),
  );
  await rm(folder, { recursive: true, force: true });
  ceilings.push(await measureBare());

  const postgres = await startPostgres({ durable: true });
  rows.push(
    ...(await measureServices('PostgreSQL', (): Record<string, string> => ({ DATABASE_URL: postgres.url }))),
  );
  await postgres.stop();
  ceilings.push(await measureBare());
  await bare.end('SIGTERM');

  const ceiling = ceilings.sort((a, b) => b.perSecond - a.perSecond)[0] as Measured;
  const text = report([{ what: 'bare Fastify route', database: '–', ...ceiling }, ...rows]);
  process.stdout.write(`${text}\n`);
  if (asked === undefined) await keepSection('docs/benchmarks.md', 'Services', text);
}

async function measureServices(
  database: string,
  serviceEnv: (service: 'gateway' | 'forms') => Record<string, string>,
): Promise<Row[]> {
  const unlimited = { RATE_LIMIT_PER_ADDRESS: '0', RATE_LIMIT_PER_GUEST: '0' };
  const gateway = await runService('services/gateway/src/main.ts', {
    ...serviceEnv('gateway'),
    ...unlimited,
  });
  const forms = await runService('services/forms/src/main.ts', {
    ...serviceEnv('forms'),
    ...unlimited,
    FORM_POSTS_PER_HOUR: '0',
    JWKS_URL: `${gateway.url}/.well-known/jwks.json`,
  });
  const creation = (id: string) => ({
    url: `${gateway.url}/guests`,
    body: { unique_id: id, user_unique_id: id },
    expect: 201,
  });
  const known: { id: string; bearer: string }[] = [];
  for (let index = 0; index < guests; index++) {
    const id = randomUUID();
    known.push({ id, bearer: `Bearer ${String((await send(creation(id)))['company-token'])}` });
  }
  const guestAt = (index: number) => known[index % guests] as (typeof known)[number];

  const rows: Row[] = [
    { what: 'guest creation', database, ...(await measure(() => creation(randomUUID()), load)) },
    {
      what: 'renewal',
      database,
      ...(await measure((index) => {
        const { id, bearer } = guestAt(index);
        return {
          url: `${gateway.url}/guests/${id}/auth`,
          headers: { authorization: bearer },
          body: { guest_unique_id: id },
          expect: 200,
        };
      }, load)),
    },
    {
      what: 'subscription',
      database,
      ...(await measure((index) => {
        const { id, bearer } = guestAt(index);
        return {
          url: `${forms.url}/subscriptions`,
          headers: { authorization: bearer, 'idempotency-key': randomUUID() },
          body: {
            email: `ada${index}@example.com`,
            source_id: formSources.newsletter,
            form_fields: `ada${index}@example.com`,
            visitor_unique_id: id,
            visitor_type: 'guest',
          },
          expect: 201,
        };
      }, load)),
    },
  ];
  await forms.end('SIGTERM');
  await gateway.end('SIGTERM');
  return rows;
}

function report(rows: Row[]): string {
  const ceiling = rows[0]?.perSecond ?? 1;
  const lines = rows.map(({ what, database, perSecond, p50, p99 }) => [
    what,
    database,
    String(Math.round(perSecond)),
    (perSecond / ceiling).toFixed(2),
    p50.toFixed(1),
    p99.toFixed(1),
  ]);
  return [
    `${load.count} requests each over ${load.connections} connections, client and servers on one machine with ` +
      `${cpus().length} cores, in one run (\`npm run bench:services\`). The load average before it was ${busy.toFixed(1)}` +
      `${busy > cpus().length / 2 ? ': the machine was busy with other work, which lowers every figure' : ''}. Compare the ` +
      "ratios; the absolute figures are this machine's.",
    '',
    table(['call', 'database', 'requests/s', 'ratio to the bare route', 'p50 ms', 'p99 ms'], lines),
  ].join('\n');
}

await main();
