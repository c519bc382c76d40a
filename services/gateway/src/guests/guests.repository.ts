import type { GuestUpdate } from '@site/contract';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { GatewayTables, GuestTable } from '../tables.ts';

export type GuestRow = Selectable<GuestTable>;

export interface Visit {
  at: Date;
  /** Already truncated. */
  ip: string;
}

export type GuestsRepository = ReturnType<typeof createGuestsRepository>;

export function createGuestsRepository(db: Kysely<GatewayTables>) {
  return {
    async create(id: string, visit: Visit, creationKeyHash: string | null): Promise<GuestRow | undefined> {
      return db
        .insertInto('guests')
        .values({
          unique_id: id,
          user_unique_id: id,
          current_visiting_at: visit.at,
          current_visiting_ip: visit.ip,
          registered_at: visit.at,
          creation_key_hash: creationKeyHash,
        })
        .onConflict((conflict) => conflict.column('unique_id').doNothing())
        .returningAll()
        .executeTakeFirst();
    },

    async find(id: string): Promise<GuestRow | undefined> {
      return db.selectFrom('guests').selectAll().where('unique_id', '=', id).executeTakeFirst();
    },

    async update(
      id: string,
      { email, name, username }: Pick<GuestUpdate, 'email' | 'name' | 'username'>,
    ): Promise<GuestRow | undefined> {
      return (
        db
          .updateTable('guests')
          // Omitted fields stay unchanged. Setting the id keeps the statement valid without any field.
          .set({ unique_id: id, email, name, username })
          .where('unique_id', '=', id)
          .returningAll()
          .executeTakeFirst()
      );
    },

    async visit(id: string, visit: Visit): Promise<GuestRow | undefined> {
      return db
        .updateTable('guests')
        .set({
          last_visiting_at: sql.ref('current_visiting_at'),
          last_visiting_ip: sql.ref('current_visiting_ip'),
          current_visiting_at: visit.at,
          current_visiting_ip: visit.ip,
        })
        .where('unique_id', '=', id)
        .returningAll()
        .executeTakeFirst();
    },
  };
}
