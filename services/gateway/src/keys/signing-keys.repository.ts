import type { JWK } from 'jose';
import { sql, type Kysely } from 'kysely';
import type { GatewayTables } from '../tables.ts';

export interface SigningKeyRow {
  kid: string;
  private_jwk: JWK;
  created_at: Date;
  active_from: Date;
}

/** What to do about the keys, given those there are: a key to add, and the ids of keys to remove. */
export type Replacement = (existing: SigningKeyRow[]) => {
  add: (() => Promise<SigningKeyRow>) | null;
  remove: string[];
};

/** The signing keys in the database. */
export interface SigningKeysRepository {
  /** Looks at the keys and changes them, one instance at a time; resolves to the keys, oldest first. */
  replace(decide: Replacement): Promise<SigningKeyRow[]>;
}

export function createSigningKeysRepository(db: Kysely<GatewayTables>): SigningKeysRepository {
  const all = (executor: Kysely<GatewayTables>): Promise<SigningKeyRow[]> =>
    executor.selectFrom('signing_keys').selectAll().orderBy('created_at').orderBy('kid').execute();

  return {
    async replace(decide) {
      const seen = await all(db);
      const first = decide(seen);
      if (!first.add && first.remove.length === 0) return seen;
      return db.transaction().execute(async (transaction) => {
        // Two instances that start together, or find a key due together, must not both make one.
        await sql`lock table ${sql.table('gateway.signing_keys')} in exclusive mode`.execute(transaction);
        const { add, remove } = decide(await all(transaction));
        if (remove.length > 0)
          await transaction.deleteFrom('signing_keys').where('kid', 'in', remove).execute();
        if (add) {
          const { private_jwk, ...row } = await add();
          await transaction
            .insertInto('signing_keys')
            .values({ ...row, private_jwk: JSON.stringify(private_jwk) })
            .execute();
        }
        return all(transaction);
      });
    },
  };
}
