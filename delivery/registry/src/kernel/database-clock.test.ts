import { openMemoryDatabase } from '@site/server/testing/memory-database';
import { createDatabaseClock } from './database-clock.ts';
import type { RegistryTables } from './tables.ts';

test.each([-300_000, 0, 300_000])(
  "a registry whose clock is wrong by %i ms has the database's time and knows the difference",
  async (skewMs) => {
    const database = await openMemoryDatabase();
    const db = database.schema<RegistryTables>('public');
    let shift = skewMs;
    const clock = await createDatabaseClock(db, () => Date.now() + shift);
    expect(Math.abs(clock.now().getTime() - Date.now())).toBeLessThan(20_000);
    expect(Math.abs(clock.skewMs() - skewMs)).toBeLessThan(20_000);
    // A correction of this machine's clock changes nothing.
    const before = clock.now().getTime();
    shift = 0;
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
    expect(Math.abs(clock.skewMs())).toBeLessThan(20_000);
    await database.close();
    await clock.measure();
    expect(clock.now().getTime()).toBeGreaterThanOrEqual(before);
  },
);
