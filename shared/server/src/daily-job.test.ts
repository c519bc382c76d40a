import type { Transaction } from 'kysely';
import { startDailyJob, type JobTables } from './daily-job.ts';
import { HOUR_MS } from './durations.ts';
import { openDatabase, type Migration } from './open-database.ts';
import { databases, type TestDatabase } from './testing/each-database.ts';
import { fakeIntervals, watchedLog, type IntervalClock, type WatchedLog } from './testing/interval-clock.ts';

interface Tables extends JobTables {
  runs: { at: Date };
}

const migrations: Migration[] = [
  {
    name: '001-jobs',
    up: async (db) => {
      await db.schema
        .createTable('jobs')
        .addColumn('name', 'text', (column) => column.primaryKey())
        .addColumn('ran_at', 'timestamptz', (column) => column.notNull())
        .execute();
      await db.schema.createTable('runs').addColumn('at', 'timestamptz').execute();
    },
  },
];

describe.each(databases)('a daily job on $name', ({ start }) => {
  let shared: TestDatabase;
  let clock: IntervalClock;
  let log: WatchedLog;

  beforeAll(async () => {
    shared = await start();
    await shared.database.migrate('daily', migrations);
  });
  afterAll(() => shared.stop());
  beforeEach(async () => {
    await db().deleteFrom('runs').execute();
    await db().deleteFrom('jobs').execute();
    clock = fakeIntervals('2026-03-01T12:00:00Z');
    log = watchedLog();
  });
  afterEach(() => clock.restore());

  const db = (database = shared.database) => database.schema<Tables>('daily');
  const note = async (transaction: Transaction<Tables>): Promise<object> => {
    await transaction
      .insertInto('runs')
      .values({ at: new Date(clock.now()) })
      .execute();
    return { noted: 1 };
  };
  const begin = (run = note, database = shared.database) =>
    startDailyJob({ name: 'note', db: db(database), run, log, now: clock.now });
  const hoursOfRuns = async () => {
    const rows = await db().selectFrom('runs').select('at').orderBy('at').execute();
    return rows.map(({ at }) => (at.getTime() - Date.parse('2026-03-01T12:00:00Z')) / HOUR_MS);
  };
  async function pass(hours: number, instances = 1): Promise<void> {
    for (let hour = 0; hour < hours; hour++) {
      const looks = log.lines.length + instances;
      clock.pass(HOUR_MS);
      await log.reached(looks);
    }
  }

  test('runs immediately and then once a day until stopped', async () => {
    const stop = begin();
    await log.reached(1);
    await pass(50);
    expect(await hoursOfRuns()).toEqual([0, 24, 48]);
    expect(log.lines.filter(([level]) => level === 'info')).toEqual(
      Array(3).fill(['info', 'ran the job', { job: 'note', noted: 1 }]),
    );
    await stop();
    clock.pass(48 * HOUR_MS);
    expect(log.lines).toHaveLength(51);
    expect(await hoursOfRuns()).toEqual([0, 24, 48]);
  });

  test('runs in one of two instances that check at the same times, and again a day after a restart', async () => {
    const other = shared.url ? await openDatabase({ url: shared.url }) : shared.database;
    const stops = [begin(), begin(note, other)];
    await log.reached(2);
    await pass(25, 2);
    expect(await hoursOfRuns()).toEqual([0, 24]);
    await Promise.all(stops.map((stop) => stop()));
    const again = begin();
    await log.reached(53);
    await again();
    expect(await hoursOfRuns()).toEqual([0, 24]);
    if (other !== shared.database) await other.close();
  });

  test('is skipped while another instance runs it, without waiting and without an error', async () => {
    if (!shared.url) return; // An embedded database has one connection and one instance.
    const other = await openDatabase({ url: shared.url });
    let finish = () => {};
    const finished = new Promise<void>((resolve) => (finish = resolve));
    let started = () => {};
    const underWay = new Promise<void>((resolve) => (started = resolve));
    const stop = begin(async (transaction) => {
      started();
      await finished;
      return note(transaction);
    });
    await underWay;
    const waiting = begin(note, other);
    await log.reached(1);
    expect(log.lines).toEqual([['debug', 'not due', { job: 'note' }]]);
    finish();
    await Promise.all([stop(), waiting()]);
    expect(await hoursOfRuns()).toEqual([0]);
    await other.close();
  });

  test('rolls back on failure, and is retried at the next check', async () => {
    let failures = 1;
    const stop = begin(async (transaction) => {
      const noted = await note(transaction);
      if (failures-- > 0) throw new Error('no luck');
      return noted;
    });
    await log.reached(1);
    expect(log.lines).toEqual([
      ['error', 'could not run the job', { job: 'note', err: expect.any(Error) as unknown }],
    ]);
    expect(await hoursOfRuns()).toEqual([]);
    await pass(1);
    await stop();
    expect(await hoursOfRuns()).toEqual([1]);
  });

  test('completes before stopping resolves', async () => {
    let finish = () => {};
    let began = () => {};
    const begun = new Promise<void>((resolve) => (began = resolve));
    const stop = begin(async (transaction) => {
      began();
      await new Promise<void>((resolve) => (finish = resolve));
      return note(transaction);
    });
    await begun;
    const stopping = stop();
    finish();
    await stopping;
    expect(log.lines).toHaveLength(1);
    expect(await hoursOfRuns()).toEqual([0]);
  });
});
