import type { Kysely, Transaction } from 'kysely';
import type { RegistryTables } from '../database/tables.ts';

/** Carries the result out of a transaction that is to leave nothing behind. */
class Undo extends Error {
  readonly result: unknown;

  constructor(result: unknown) {
    super('a dry run');
    this.result = result;
  }
}

/** Runs a change in one transaction; a dry run does all of it, gives the result, and takes everything back. */
export async function inTransaction<T>(
  db: Kysely<RegistryTables>,
  dryRun: boolean | undefined,
  change: (transaction: Transaction<RegistryTables>) => Promise<T>,
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
