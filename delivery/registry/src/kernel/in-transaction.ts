import { sql } from 'kysely';
import type { RegistryDb, RegistryTransaction } from './tables.ts';

/** Carries the result out of a transaction that is rolled back. */
class Undo extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('a dry run');
    this.result = result;
  }
}

/** A dry run does everything, returns the result, and rolls back. */
export async function inTransaction<T>(
  db: RegistryDb,
  dryRun: boolean,
  change: (transaction: RegistryTransaction) => Promise<T>,
): Promise<T> {
  try {
    return await db.transaction().execute(async (transaction) => {
      const result = await change(transaction);
      if (dryRun) throw new Undo(result);
      return result;
    });
  } catch (error) {
    if (error instanceof Undo) return error.result as T;
    throw error;
  }
}

export function atOneMoment<T>(
  db: RegistryDb,
  read: (moment: RegistryTransaction) => Promise<T>,
): Promise<T> {
  return db.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

/** For waiting for a store, which may exceed the idle timeout. */
export async function allowIdling(transaction: RegistryTransaction): Promise<void> {
  await sql`set local idle_in_transaction_session_timeout = 0`.execute(transaction);
}
