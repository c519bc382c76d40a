import type { JWK } from 'jose';
import { sql, type Kysely } from 'kysely';
import type { GatewayTables } from '../tables.ts';

export interface SigningKeyRow {
  kid: string;
  private_jwk: JWK;
  created_at: Date;
  active_from: Date;
}

export type Replacement = (existing: SigningKeyRow[]) => {
  add: (() => Promise<SigningKeyRow>) | null;
  remove: string[];
};

export interface SigningKeysRepository {
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
        // Concurrent instances must not both create a key.
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
