import { advisoryLocks } from '@site/server/advisory-locks';
import { sql } from 'kysely';
import { jsonRows } from './json-rows.ts';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

const LOCK = sql`${sql.lit(advisoryLocks.collection)}, 1`;

/** Held by a collection while it decides. No change can start in the meantime. */
export async function lockOutChanges(transaction: RegistryTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(transaction);
}

async function waitForCollection(transaction: RegistryTransaction): Promise<void> {
  await sql`select pg_advisory_xact_lock_shared(${LOCK})`.execute(transaction);
}

export interface ChangeUnderWay {
  id: string;
  what: string;
  /** Expires, so a killed registry does not block collections forever. */
  expiresAt: Date;
}

export async function beginChangeUnderWay(
  db: RegistryDb,
  { id, what, expiresAt }: ChangeUnderWay,
): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await waitForCollection(transaction);
    await transaction.insertInto('changes_under_way').values({ id, what, expires_at: expiresAt }).execute();
  });
}

export async function extendChangeUnderWay(db: RegistryDb, id: string, expiresAt: Date): Promise<void> {
  await db.updateTable('changes_under_way').set({ expires_at: expiresAt }).where('id', '=', id).execute();
}

export async function endChangeUnderWay(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom('changes_under_way').where('id', '=', id).execute();
}

export async function isChangeUnderWay(db: RegistryDb, at: Date): Promise<boolean> {
  const found = await db
    .selectFrom('changes_under_way')
    .select('id')
    .where('expires_at', '>', at)
    .executeTakeFirst();
  return found !== undefined;
}

export async function listChangesUnderWay(db: RegistryDb): Promise<string[]> {
  const rows = await db.selectFrom('changes_under_way').select('what').distinct().orderBy('what').execute();
  return rows.map(({ what }) => what);
}

/** Of dead processes. */
export async function forgetDeadChanges(db: RegistryDb, at: Date): Promise<void> {
  await db.deleteFrom('changes_under_way').where('expires_at', '<=', at).execute();
}

export async function recordWanted(db: RegistryDb, integrities: Iterable<string>, at: Date): Promise<void> {
  await db.transaction().execute(async (transaction) => {
    await waitForCollection(transaction);
    // Same order everywhere: concurrent queries for the same blobs would deadlock otherwise.
    await sql`
      insert into registry.wanted_blobs (integrity, wanted_at)
      select value, ${at} from ${jsonRows([...new Set(integrities)])} order by value
      on conflict (integrity) do update set wanted_at = excluded.wanted_at`.execute(transaction);
  });
}

/** Deletes expired records. Skips those that a client is renewing, to avoid a deadlock. */
export async function forgetWanted(db: RegistryDb, before: Date): Promise<void> {
  await sql`
    delete from registry.wanted_blobs where integrity in (
      select integrity from registry.wanted_blobs where wanted_at < ${before} for update skip locked)`.execute(
    db,
  );
}
