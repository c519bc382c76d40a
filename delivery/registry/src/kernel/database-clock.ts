import { sql } from 'kysely';
import type { RegistryDb } from './tables.ts';

export interface DatabaseClock {
  /** The database's time, which all its registries share; a wrong clock of this machine changes nothing. */
  now(): Date;
  /** This machine's clock minus the database's. */
  skewMs(): number;
  /** Without effect while the database does not answer. */
  measure(): Promise<void>;
}

/** Counts on with the monotonic clock between measurements. @param wall for tests. */
export async function createDatabaseClock(
  db: RegistryDb,
  wall: () => number = Date.now,
  monotonic: () => number = () => performance.now(),
): Promise<DatabaseClock> {
  let base = wall() - monotonic();
  async function measure(): Promise<void> {
    const asked = monotonic();
    const { rows } = await sql<{ at: string }>`
      select (extract(epoch from clock_timestamp()) * 1000)::text as at`.execute(db);
    base = Number(rows[0]?.at) - (asked + monotonic()) / 2;
  }
  await measure();
  const nowMs = () => base + monotonic();
  return {
    now: () => new Date(nowMs()),
    skewMs: () => Math.round(wall() - nowMs()),
    measure: () => measure().catch(() => undefined),
  };
}
