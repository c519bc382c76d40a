import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { DAY_MS } from '@site/server/durations';
import { openDatabase } from '@site/server/open-database';
import { startDatabase, type TestDatabase } from '@site/server/testing/each-database';
import { watchedLog } from '@site/server/testing/interval-clock';
import { gatewayDefaults } from './config.ts';
import { createGuestsRepository } from './guests/guests.repository.ts';
import { gatewayMigrations } from './migrations.ts';
import { retention, startRetention } from './retention.ts';
import type { GatewayTables } from './tables.ts';

describe('retention', () => {
  let shared: TestDatabase & { url: string };
  beforeAll(async () => {
    shared = await startDatabase();
    await shared.database.migrate('gateway', gatewayMigrations);
  });
  afterAll(() => shared.stop());

  test('removes each guest 13 months after its last visit, once for two instances', async () => {
    const second = await openDatabase({ url: shared.url });
    const instances = [shared.database, second].map((each) => each.schema<GatewayTables>('gateway'));
    const guests = createGuestsRepository(shared.database.schema<GatewayTables>('gateway'));
    const begin = Date.parse('2026-03-01T12:00:00Z');
    const visitOn = (day: number) => ({ at: new Date(begin + day * DAY_MS), ip: '203.0.113.0' });
    const [gone, returning] = [randomUUID(), randomUUID()];
    await guests.create(gone, visitOn(0), null);
    await guests.create(returning, visitOn(0), null);
    await guests.visit(returning, visitOn(2));

    const left: Record<number, unknown> = {};
    for (const day of [1, 395, 397, 399]) {
      const log = watchedLog();
      const now = () => begin + day * DAY_MS;
      const stops = instances.map((db) =>
        startRetention({ db, retention: gatewayDefaults.retention, log, now }),
      );
      await Promise.all(stops.map((stop) => stop()));
      left[day] = {
        guests: [await guests.find(gone), await guests.find(returning)].filter(Boolean).length,
        removed: log.lines.filter(([level]) => level === 'info').map(([, , fields]) => fields),
      };
    }
    const run = (removed: number) => [{ job: 'remove-idle-guests', removed }];
    expect(left).toEqual({
      1: { guests: 2, removed: run(0) },
      395: { guests: 2, removed: run(0) },
      397: { guests: 1, removed: run(1) },
      399: { guests: 0, removed: run(1) },
    });
    await second.close();
  });

  test('every database table has a line with its retention', async () => {
    const { rows } = await sql<{ name: string }>`
      select table_name as name from information_schema.tables where table_schema = 'gateway'`.execute(
      shared.database.schema('gateway'),
    );
    const tables = rows.map(({ name }) => name).filter((name) => name !== 'migrations');
    expect(retention.map(({ table }) => table as string).sort()).toEqual(tables.sort());
  });
});

test('docs/retention.md describes the job line by line, with its days', () => {
  const document = readFileSync('docs/retention.md', 'utf8').replaceAll(/ +/g, ' ').split('## Gateway')[1];
  for (const { table, rows, kept } of retention) {
    expect(document).toContain(`| \`${table}\` | ${rows} | ${kept} |`);
  }
  expect(document?.match(/^\| `/gm)).toHaveLength(retention.length);
  expect(retention[0]?.kept).toContain(`${gatewayDefaults.retention / (DAY_MS / 1000)} days`);
});
