/**
 * `npm run bench:console`: the registry's response time for each view of the console, with 400 remotes, 10,000
 * versions, 5,000 releases and 90 days of health data, on PostgreSQL. Prints a table and saves it in
 * `docs/benchmarks.md`. Fails above the limit.
 */
import { cpus, loadavg } from 'node:os';
import { sql } from 'kysely';
import { formContracts } from '@site/contract';
import type { RegistryTables } from '@site/registry/kernel/tables';
import { fromConsole } from '@site/registry/testing/browser';
import { createHarness, type Harness } from '@site/registry/testing/harness';
import { openDatabase } from '@site/server/open-database';
import { allowLongStatements } from '@site/server/postgres-client';
import { startPostgres } from '@site/server/testing/start-postgres';
import { sketchBucket, type Sketch } from '@site/contract/signals/sketch';
import { fillHistory, grownApp } from './growing/fill-history.ts';
import { keepSection } from './keep-section.ts';
import { median } from './quantile.ts';
import { table } from './table.ts';

/** `npm run bench:console -- 3` is a short run, which is not saved. */
const asked = process.argv[2];
const DAYS = asked === undefined ? 90 : Number(asked);
const HISTORY = { releases: 5_000, remotes: 400, versionsOfEach: 25 };
/** Limit for the median of a view, in milliseconds. */
const LIMIT_MS = 300;
const TIMES = 15;
const CHANNEL = '/v1/channels/production';
const busy = loadavg()[0] ?? 0;

/** The requests of each view, in sequence, as if none ran in parallel. */
const views: Record<string, (apps: Apps) => string[]> = {
  Now: () => [`${CHANNEL}/overview`],
  'A remote': ({ app, live }) => [
    `${CHANNEL}/overview?app=${app}`,
    `${CHANNEL}/health/series?app=${app}&minutes=360`,
    `/v1/apps/${app}/versions?limit=20&channel=production`,
    `/v1/apps/${app}/versions/${live}`,
    `/v1/previews?app=${app}`,
  ],
  'A remote, 90 days': ({ app }) => [`${CHANNEL}/health/series?app=${app}&minutes=129600`],
  'Two versions': ({ app, live, before }) => [`/v1/apps/${app}/versions/${live}/against/${before}`],
  Timeline: () => [`${CHANNEL}/timeline?limit=50`],
  'Timeline, far back': () => [`${CHANNEL}/timeline?limit=50&before=r200`],
  'Timeline of a remote': ({ app }) => [`${CHANNEL}/timeline?limit=50&app=${app}`],
  'Difference of two releases': () => [`/v1/releases/r1/diff/r${HISTORY.releases}`],
  'Forms, a day': () => [`${CHANNEL}/forms`],
  'Forms, 7 days': () => [`${CHANNEL}/forms?minutes=10080`],
  Faults: () => [`${CHANNEL}/faults?limit=100`],
  'Freezes and guard': () => [
    CHANNEL,
    '/v1/apps?channel=production',
    `${CHANNEL}/guard`,
    `${CHANNEL}/guard/actions?limit=20`,
  ],
  Apps: () => [`${CHANNEL}/apps`],
  Audit: () => ['/v1/audit?limit=50'],
  'Audit of a remote': ({ app }) => [`/v1/audit?limit=50&app=${app}`],
  Tokens: () => ['/v1/tokens?limit=50'],
  Search: () => ['/v1/search?text=grown-1', '/v1/search?text=nothing', '/v1/search?text=abc1234'],
};

interface Apps {
  app: string;
  live: string;
  before: string;
}

async function main(): Promise<void> {
  const postgres = await startPostgres();
  const database = await openDatabase({ url: postgres.url });
  const harness = await createHarness(database);
  try {
    await fillHistory(harness, HISTORY);
    harness.clock.now = new Date();
    await fillApps(harness);
    await fillHealth(harness);
    const url = await harness.listen();
    const apps = await someApp(harness);
    const browser = await signIn(harness, url);
    const rows = Object.entries(views).map(([view, ask]) => ({
      view,
      calls: ask(apps),
      times: [] as number[],
      bytes: 0,
    }));
    for (let run = 0; run < TIMES; run += 1) {
      for (const row of rows) {
        const started = performance.now();
        const texts: string[] = [];
        for (const call of row.calls) texts.push(await get(browser, `${url}${call}`));
        row.times.push(performance.now() - started);
        row.bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0);
      }
    }
    const text = report(rows);
    process.stdout.write(`${text}\n`);
    if (asked === undefined) await keepSection('docs/benchmarks.md', 'Console', text);
    for (const { view, times } of rows) {
      if (median(times) <= LIMIT_MS) continue;
      process.exitCode = 1;
      process.stderr.write(`${view}: ${median(times).toFixed(0)} ms; the limit is ${LIMIT_MS}.\n`);
    }
  } finally {
    await harness.stop();
    await database.close();
    await postgres.stop();
  }
}

/** A signed-in browser's headers: responses of the console are compressed. */
async function signIn({ tokens }: Harness, url: string): Promise<Record<string, string>> {
  const response = await fetch(`${url}/console/session`, {
    method: 'POST',
    headers: { ...fromConsole, 'content-type': 'application/json' },
    body: JSON.stringify({ token: tokens.ops }),
  });
  const [cookie = ''] = response.headers.getSetCookie();
  return { ...fromConsole, cookie: cookie.replace(/;.*/, ''), 'accept-encoding': 'gzip, deflate, br' };
}

async function get(headers: Record<string, string>, url: string): Promise<string> {
  const response = await fetch(url, { headers });
  const text = await response.text();
  if (!response.ok) throw new Error(`${url} was answered ${response.status}: ${text}`);
  return text;
}

async function someApp(harness: Harness): Promise<Apps> {
  const app = grownApp(7);
  const { body } = await harness.send('GET', CHANNEL);
  return { app, live: body.release.apps[app] ?? '', before: body.release.lastGood[app] ?? '' };
}

/** Visitors' measurements: values around a typical one. */
const spread = (usual: number): Sketch => {
  const middle = sketchBucket(usual);
  return Array.from({ length: 25 }, (_, index) => [middle - 12 + index, 1 + 12 - Math.abs(index - 12)]);
};

/** Registers each app with its page; every tenth sends a form. */
async function fillApps({ database }: Harness): Promise<void> {
  const db = database.schema<RegistryTables>('registry');
  await sql`
    insert into registry.apps (app, owner, paths, by, at)
    select distinct app, 'a team', jsonb_build_array('/' || substr(app, 5)), 'a benchmark', now()
    from registry.versions where app <> 'shell'
    on conflict do nothing`.execute(db);
  await sql`
    update registry.versions
    set manifest = jsonb_set(manifest, '{forms}', ${JSON.stringify({ referral: formContracts.referral })}::jsonb)
    where app like '%0'`.execute(db);
}

/** Hours of 90 days, pulses of two, and minutes of six hours per remote; forms on every tenth. */
async function fillHealth({ database }: Harness): Promise<void> {
  const db = database.schema<RegistryTables>('registry');
  const measured = JSON.stringify({
    first: { views: 170, faults: 2 },
    later: { views: 90, faults: 1 },
    lcp: spread(1_200),
    inp: spread(90),
    cls: spread(30),
    interactive: spread(1_500),
  });
  await db.transaction().execute(async (transaction) => {
    await allowLongStatements(transaction);
    for (const [name, every, times] of [
      ['signal_hours', '1 hour', DAYS * 24],
      ['signal_pulses', '5 minutes', 2 * 288],
      ['signal_minutes', '1 minute', 6 * 60],
    ] as const) {
      await sql`
        insert into ${sql.table(`registry.${name}`)} (channel, app, version, route, role, at, sums)
        select 'production', live.app, live.version,
          ${name === 'signal_pulses' ? sql`'*'` : sql`'/' || substr(live.app, 5)`}, 'live',
          date_bin(${every}::interval, now(), timestamptz 'epoch') - ${every}::interval * step,
          (${measured}::jsonb ${name === 'signal_pulses' ? sql`- 'cls' - 'interactive'` : sql``}) || jsonb_build_object(
            'formsSent', case when live.app like '%0' then 3 else 0 end, 'formsFailed', 0)
        from registry.channels join registry.release_apps as live on live.release = channels.live
        cross join generate_series(0, ${times - 1}::integer) as step
        where channels.name = 'production'`.execute(transaction);
    }
    await sql`
      insert into registry.fault_groups (channel, app, version, fingerprint, fault, routes, count, browsers, first_at, last_at)
      select 'production', live.app, live.version, 'f' || step,
        jsonb_build_object('kind', 'error', 'message', 'x is undefined ' || step), '["/"]', step, '{}',
        now() - interval '1 day', now() - interval '1 minute' * step
      from registry.channels join registry.release_apps as live on live.release = channels.live
      cross join generate_series(1, 50) as step
      where channels.name = 'production'`.execute(transaction);
  });
  // Autovacuum does this when rows arrive gradually.
  await sql`vacuum analyze`.execute(db);
}

interface Row {
  view: string;
  calls: readonly string[];
  times: number[];
  bytes: number;
}

function report(rows: readonly Row[]): string {
  const lines = rows.map(({ view, calls, times, bytes }) =>
    [
      view,
      calls.length,
      median(times).toFixed(0),
      Math.max(...times).toFixed(0),
      Math.round(bytes / 1000),
    ].map(String),
  );
  return [
    `${HISTORY.remotes} remotes, ${(HISTORY.remotes * HISTORY.versionsOfEach).toLocaleString('en-US')} versions, ` +
      `${HISTORY.releases.toLocaleString('en-US')} releases, ${DAYS} days of health by the hour, on PostgreSQL; registry, database and client on one machine with ${cpus().length} cores ` +
      `(\`npm run bench:console\`). The load average before it was ${busy.toFixed(1)}. A view may take ${LIMIT_MS} ms.`,
    '',
    table(['view', 'calls', `median of ${TIMES}, ms`, 'longest, ms', 'KB of JSON'], lines),
  ].join('\n');
}

await main();
