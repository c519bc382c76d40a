/**
 * `npm run bench:upkeep`: operations in bad conditions. A rollback while the bucket accepts connections without
 * responding, changes during garbage collection at the quotas, and a restore from a bucket with 30 ms per request.
 * Exits with 1 above a limit. Prints a table and saves it in `docs/benchmarks.md`.
 */
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type AddressInfo, type Socket } from 'node:net';
import { cpus, loadavg } from 'node:os';
import { setTimeout as sleep } from 'node:timers/promises';
import { sql, type Transaction } from 'kysely';
import { openStore } from '@site/artifacts/open-store';
import type { SiteStore } from '@site/artifacts/record-store';
import type { RegistryTables } from '@site/registry/kernel/tables';
import { archiveOfBlobs, restoreInto } from '@site/registry/testing/backups';
import { createHarness, registryTables, type Harness } from '@site/registry/testing/harness';
import { remoteManifest } from '@site/registry/testing/manifests';
import { openDatabase } from '@site/server/open-database';
import { allowLongStatements } from '@site/server/postgres-client';
import { startPostgres } from '@site/server/testing/start-postgres';
import { quantile } from './quantile.ts';
import { runParts } from './run-parts.ts';
import { table } from './table.ts';

const PAGES = 500;
const ROLLBACK_MS = 5_000;

/** The quotas of five apps. */
const APPS = 5;
const VERSIONS_OF_EACH = 2_000;
const MANIFEST_FILES = 60;
/** The number of old versions per app, which are collected. */
const OLD_OF_EACH = 500;
const WAIT_MS = 200;

const BUCKET_MS = 30;
const BLOBS = 3_000;
const BLOBS_PER_SECOND = 300;
const ALL_BLOBS = 100_000;

const load = loadavg()[0] ?? 0;
await runParts(
  'Upkeep',
  `In one run (\`npm run bench:upkeep\`) on ${cpus().length} cores shared with other work; the load average before it was ${load.toFixed(1)}.`,
  { rollback, collection, restore },
);

async function withRegistry<T>(run: (harness: Harness) => Promise<T>, store?: SiteStore): Promise<T> {
  // Keeps the process alive: neither the server nor idle connections do so while they are closed.
  const alive = setInterval(() => undefined, 1_000);
  const postgres = await startPostgres({ durable: true });
  const database = await openDatabase({ url: postgres.url });
  const harness = await createHarness(database, store);
  try {
    return await run(harness);
  } finally {
    await harness.stop();
    await database.close();
    await postgres.stop();
    clearInterval(alive);
  }
}

function goal(what: string, isReached: boolean): string {
  if (isReached) return 'yes';
  process.exitCode = 1;
  process.stderr.write(`${what} is beyond its goal.\n`);
  return 'no';
}

/** A bucket that accepts connections and never responds. */
async function startSilentBucket() {
  const open = new Set<Socket>();
  const server = createServer((socket) => {
    open.add(socket.on('error', () => undefined).resume());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  Object.assign(process.env, { AWS_ACCESS_KEY_ID: 'bench', AWS_SECRET_ACCESS_KEY: 'bench' });
  const store = await openStore('s3://silent', { endpoint: `http://127.0.0.1:${port}` });
  return {
    store,
    stop() {
      server.close();
      for (const socket of open) socket.destroy();
    },
  };
}

async function rollback(): Promise<string> {
  const bucket = await startSilentBucket();
  const ms = await withRegistry(async (harness) => {
    await harness.startSite();
    const paths = ['/blocks', '/blocks/auth', ...Array.from({ length: PAGES - 2 }, (_, n) => `/blocks/${n}`)];
    const apps = [2, 3].map((contents) => remoteManifest('mfe-blocks', { paths, contents }));
    for (const manifest of apps) {
      await harness.publish(manifest);
      await harness.activate({ 'mfe-blocks': manifest.version });
    }
    Object.assign(harness.store, { has: bucket.store.has, get: bucket.store.get });
    const started = performance.now();
    const { status } = await harness.rollBack({ app: 'mfe-blocks' });
    if (status !== 201) throw new Error(`The rollback was answered ${status}.`);
    return performance.now() - started;
  });
  bucket.stop();
  return table(
    [`a rollback of ${PAGES} pages`, 'ms', `at most ${ROLLBACK_MS} ms`],
    [['the bucket says nothing', ms.toFixed(0), goal('The rollback', ms <= ROLLBACK_MS)]],
  );
}

function bulkApp(index: number): string {
  return `mfe-bulk-${index}`;
}

async function fillVersions(db: Transaction<RegistryTables>, at: Date): Promise<void> {
  await allowLongStatements(db);
  const template = remoteManifest('mfe-template');
  const files = sql`(select jsonb_agg(jsonb_build_object(
    'path', 'file-' || file || '.js', 'size', 1000, 'integrity',
    'sha384-' || translate(encode(sha384(convert_to(app || version || file, 'UTF8')), 'base64'), E'\n', '')))
    from generate_series(1, ${MANIFEST_FILES}::integer) as file)`;
  await sql`
    insert into registry.versions (app, version, manifest, content_digest, published_by, published_at)
    select app, version, ${JSON.stringify(template)}::jsonb
        || jsonb_build_object('app', app, 'version', version, 'assets', ${files}),
      md5(app || version), 'a benchmark',
      ${at}::timestamptz - case when number < ${OLD_OF_EACH}::integer then interval '90 days' else interval '1 day' end
    from generate_series(0, ${VERSIONS_OF_EACH - 1}::integer) as number
    cross join generate_series(1, ${APPS}::integer) as remote
    cross join lateral (
      select 'mfe-bulk-' || remote as app, '1.0.0-' || lpad(to_hex(remote * 100000 + number), 12, '0') as version
    ) as named`.execute(db);
  await sql`analyze`.execute(db);
}

async function collection(): Promise<string> {
  return withRegistry(async (harness) => {
    await harness.startSite();
    for (let index = 1; index <= APPS; index += 1) {
      const body = { app: bulkApp(index), owner: 'bench', paths: [`/bulk-${index}/*`] };
      await harness.send('POST', '/v1/apps', { body });
    }
    await registryTables(harness)
      .transaction()
      .execute((db) => fillVersions(db, harness.clock.now));
    await listOldFiles(harness);
    const { rows } = await sql<{ bytes: number }>`
      select round(avg(manifest_bytes))::integer as bytes from registry.versions where app like 'mfe-bulk-%'`.execute(
      registryTables(harness),
    );
    const idle = await waits(harness, sleep(3_000));
    const collecting = harness.send<{ versions: unknown[]; deleted: { blobs: number } }>(
      'POST',
      '/v1/collections',
      { body: {} },
    );
    const started = performance.now();
    const during = await waits(harness, collecting);
    const seconds = (performance.now() - started) / 1_000;
    const { status, body } = await collecting;
    if (status !== 200) throw new Error(`The collection was answered ${status}: ${JSON.stringify(body)}`);
    const cells = (times: number[]) => [
      String(times.length),
      quantile(times, 0.5).toFixed(0),
      Math.max(...times).toFixed(0),
    ];
    const isShort = Math.max(...during) <= WAIT_MS;
    return [
      `${APPS * VERSIONS_OF_EACH + 3} versions with ${rows[0]?.bytes} bytes of manifest; ${body.versions.length} versions and ` +
        `${body.deleted.blobs} files were collected in ${seconds.toFixed(1)} s by the process that the changes were sent to.`,
      table(
        [
          'freezing and unfreezing, one after the other',
          'changes',
          'median ms',
          'longest ms',
          `at most ${WAIT_MS} ms`,
        ],
        [
          ['nothing else', ...cells(idle), ''],
          ['during a collection', ...cells(during), goal('The wait for a collection', isShort)],
        ],
      ),
    ].join('\n\n');
  });
}

/** Lists the old versions' files although they are not in the store: their deletion is not measured. */
async function listOldFiles(harness: Harness): Promise<void> {
  const { rows } = await sql<{ integrity: string }>`
    select file ->> 'integrity' as integrity from registry.versions, jsonb_array_elements(manifest -> 'assets') as file
    where file ->> 'path' = 'file-1.js' and app like 'mfe-bulk-%' and published_at < ${new Date(harness.clock.now.getTime() - 40 * 86_400_000)}`.execute(
    registryTables(harness),
  );
  harness.store.list = async function* () {
    for (const { integrity } of rows) yield { integrity, storedAt: new Date(0), bytes: 1_000 };
    await Promise.resolve();
  };
}

/** The duration of each change until `until` has settled. */
async function waits(harness: Harness, until: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const state = { isOver: false };
  const ended = until.finally(() => (state.isOver = true));
  for (let run = 0; !state.isOver; run += 1) {
    const path = `/v1/channels/production/${run % 2 === 0 ? 'freezes' : 'unfreezes'}`;
    const started = performance.now();
    const { status } = await harness.send('POST', path, { body: { app: 'mfe-partners', reason: 'bench' } });
    if (status >= 300) throw new Error(`A change was answered ${status}.`);
    times.push(performance.now() - started);
  }
  await ended;
  return times;
}

/** Delays each request to the bucket: a put checks for the object first, compressing for its copies. */
function slowStore(store: SiteStore): SiteStore {
  const after =
    <Args extends unknown[], T>(requests: number, call: (...args: Args) => Promise<T>) =>
    async (...args: Args) => {
      await sleep(requests * BUCKET_MS);
      return call(...args);
    };
  return {
    ...store,
    has: after(1, store.has),
    blobSize: after(1, store.blobSize),
    put: after(2, store.put),
    compress: after(4, store.compress),
  };
}

async function restore(): Promise<string> {
  return withRegistry(async (harness) => {
    Object.assign(harness.store, slowStore({ ...harness.store }));
    const blobs = Array.from({ length: BLOBS }, (_, n) =>
      Buffer.concat([Buffer.from(`/* blob ${n} */\n`.repeat(100)), randomBytes(500)]),
    );
    const archive = await archiveOfBlobs(blobs);
    const started = performance.now();
    await restoreInto(harness, archive);
    const rate = (BLOBS * 1_000) / (performance.now() - started);
    return table(
      [
        `a restore at ${BUCKET_MS} ms for each request to the bucket`,
        'blobs',
        `at least ${BLOBS_PER_SECOND}`,
      ],
      [
        ['measured, in a second', rate.toFixed(0), goal('The restore', rate >= BLOBS_PER_SECOND)],
        [`${ALL_BLOBS} blobs, computed`, `${(ALL_BLOBS / rate / 60).toFixed(1)} minutes`, ''],
      ],
    );
  });
}
