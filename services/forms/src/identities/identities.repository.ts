import type { IdentityRegistration, IdentityUpdate } from '@site/contract';
import type { Kysely, Selectable } from 'kysely';
import type { FormsTables, IdentityTable } from '../tables.ts';

export type IdentityRow = Selectable<IdentityTable>;

/** The identities in the database. */
export function createIdentitiesRepository(db: Kysely<FormsTables>) {
  return {
    /** Registers an identity; one that is registered already stays as it is, and has been seen again. */
    async register(
      { unique_id, role_name, role_unique_id, email = '', name = '', username = '' }: IdentityRegistration,
      at: Date,
    ): Promise<{ identity: IdentityRow; created: boolean }> {
      for (;;) {
        const created = await db
          .insertInto('identities')
          .values({
            unique_id,
            role_name,
            role_unique_id,
            email,
            name,
            username,
            registered_at: at,
            last_seen_at: at,
          })
          .onConflict((conflict) => conflict.column('unique_id').doNothing())
          .returningAll()
          .executeTakeFirst();
        if (created) return { identity: created, created: true };
        const identity = await db
          .updateTable('identities')
          .set({ last_seen_at: at })
          .where('unique_id', '=', unique_id)
          .returningAll()
          .executeTakeFirst();
        // Otherwise it was erased in between: then this one is new.
        if (identity) return { identity, created: false };
      }
    },

    async find(id: string): Promise<IdentityRow | undefined> {
      return db.selectFrom('identities').selectAll().where('unique_id', '=', id).executeTakeFirst();
    },

    async update(id: string, { email, name, username }: IdentityUpdate): Promise<IdentityRow | undefined> {
      return (
        db
          .updateTable('identities')
          // A field that is left out stays as it is. The id keeps the statement valid when all of them are.
          .set({ unique_id: id, email, name, username })
          .where('unique_id', '=', id)
          .returningAll()
          .executeTakeFirst()
      );
    },
  };
}
