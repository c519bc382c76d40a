import { sql, type KyselyPlugin } from 'kysely';
import { databases } from '@site/server/testing/each-database';
import { forEachTest } from '@site/server/testing/for-each-test';
import { listFaults } from './fault.repository.ts';
import { readSignals } from './signal-series.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import { createHarness, registryTables, type Harness } from '../testing/harness.ts';

const MINUTES = 300;
const ROUTES = 10;
/** Maximum rows per statement, independent of the queried period. */
const AT_ONCE = 500;

const sums = {
  first: { views: 2, faults: 1 },
  later: { views: 1, faults: 0 },
  formsSent: 1,
  formsFailed: 0,
  lcp: [
    [70, 1],
    [71, 2],
  ],
};

/** Sums of an app on each route for the last minutes or hours. */
async function fill(registry: Harness, table: 'signal_minutes' | 'signal_hours'): Promise<void> {
  const step = table === 'signal_minutes' ? '1 minute' : '1 hour';
  await sql`
    insert into ${sql.table(`registry.${table}`)} (channel, app, version, route, role, at, sums)
    select 'production', 'mfe-blocks', '1.0.0-000000000001', '/route-' || route, 'live',
      ${registry.clock.now}::timestamptz - time * ${step}::interval, ${JSON.stringify(sums)}::jsonb
    from generate_series(1, ${MINUTES}::integer) as time cross join generate_series(1, ${ROUTES}::integer) as route`.execute(
    registryTables(registry),
  );
}

/** The number of rows of each statement. */
function counted(db: RegistryDb): { db: RegistryDb; rows: number[] } {
  const rows: number[] = [];
  const counting: KyselyPlugin = {
    transformQuery: ({ node }) => node,
    transformResult({ result }) {
      rows.push(result.rows.length);
      return Promise.resolve(result);
    },
  };
  return { db: db.withPlugin(counting), rows };
}

describe.each(databases)('on $name', ({ start }) => {
  const registry = forEachTest((database) => createHarness(database), start);

  test.each([
    ['minutes', 'signal_minutes', 60_000],
    ['hours', 'signal_hours', 60 * 60_000],
  ] as const)('%s are read in portions, and added up as if they had come at once', async (_, table, step) => {
    await fill(registry, table);
    const { now } = registry.clock;
    const { db, rows } = counted(registryTables(registry));
    const from = new Date(now.getTime() - MINUTES * step);
    const found = await readSignals(db, 'production', { from, to: new Date(now.getTime() - 10 * step) }, now);
    // The last ten are omitted.
    const times = MINUTES - 10;
    expect(found).toHaveLength(ROUTES);
    for (const place of found)
      expect(place.sums).toEqual({
        first: { views: 2 * times, faults: times },
        later: { views: times, faults: 0 },
        formsSent: times,
        formsFailed: 0,
        formsRefused: 0,
        lcp: [
          [70, times],
          [71, 2 * times],
        ],
      });
    expect(found.map(({ route }) => route).sort()).toEqual(
      Array.from({ length: ROUTES }, (_route, index) => `/route-${index + 1}`).sort(),
    );
    expect(Math.max(...rows)).toBeLessThanOrEqual(AT_ONCE);
  });

  test('sums may be read several times in one transaction', async () => {
    await fill(registry, 'signal_minutes');
    const { now } = registry.clock;
    const wanted = { route: '/route-1', from: new Date(now.getTime() - MINUTES * 60_000) };
    await registryTables(registry)
      .transaction()
      .execute(async (transaction) => {
        const [one, other] = await Promise.all(
          [wanted, wanted].map((same) => readSignals(transaction, 'production', same, now)),
        );
        expect(one).toHaveLength(1);
        expect(other).toEqual(one);
      });
  });

  test('the first version with a fault is found without reading the faults of all versions', async () => {
    const [versions, groups, limit] = [100, 100, 50];
    await sql`
      insert into registry.fault_groups (channel, app, version, fingerprint, fault, routes, count, browsers, first_at, last_at)
      select 'production', 'mfe-blocks', '1.0.0-' || lpad(version::text, 12, '0'), 'fault-' || fault,
        jsonb_build_object('kind', 'error', 'message', 'fault ' || fault), '[]'::jsonb, 1, '{}',
        ${registry.clock.now}::timestamptz + version * interval '1 hour', ${registry.clock.now}::timestamptz + version * interval '2 hours'
      from generate_series(1, ${versions}::integer) as version cross join generate_series(1, ${groups}::integer) as fault`.execute(
      registryTables(registry),
    );
    await sql`analyze registry.fault_groups`.execute(registryTables(registry));
    await registryTables(registry)
      .transaction()
      .execute(async (transaction) => {
        const faults = await listFaults(transaction, 'production', { app: 'mfe-blocks', limit });
        expect(faults).toHaveLength(limit);
        expect(new Set(faults.map(({ firstVersion }) => firstVersion))).toEqual(
          new Set(['1.0.0-000000000001']),
        );
        const { rows } = await sql<{ rows_read: number }>`
          select (seq_tup_read + coalesce(idx_tup_fetch, 0))::integer as rows_read
          from pg_stat_xact_user_tables where relname = 'fault_groups'`.execute(transaction);
        // The sorted newest groups, and the first fault of its kind for each returned one.
        expect(rows[0]?.rows_read).toBeLessThanOrEqual(groups + 2 * limit);
      });
  });
});
