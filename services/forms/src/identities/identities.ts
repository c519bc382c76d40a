import type { IdentityAttributes, IdentityRegistration, IdentityUpdate } from '@site/contract';
import type { ResourceDocument } from '@site/server/json-api';
import type { Kysely, Selectable } from 'kysely';
import type { FormsTables, IdentityTable } from '../kernel/tables.ts';

export type IdentityRow = Selectable<IdentityTable>;

export function createIdentitiesRepository(db: Kysely<FormsTables>) {
  return {
    /** Registers an identity. An existing one only gets a new `last_seen_at`. */
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
        // Otherwise it was erased in the meantime: store it again.
        if (identity) return { identity, created: false };
      }
    },

    async find(id: string): Promise<IdentityRow | undefined> {
      return db.selectFrom('identities').selectAll().where('unique_id', '=', id).executeTakeFirst();
    },

    async update(id: string, { email, name, username }: IdentityUpdate): Promise<IdentityRow | undefined> {
      return db
        .updateTable('identities')
        .set({ unique_id: id, email, name, username })
        .where('unique_id', '=', id)
        .returningAll()
        .executeTakeFirst();
    },
  };
}

/** @param include the relationships to include; null: the role. */
export function identityDocument(row: IdentityRow, include: readonly string[] | null): ResourceDocument {
  const attributes: IdentityAttributes = {
    unique_id: row.unique_id,
    email: row.email,
    name: row.name,
    username: row.username,
    registered_at: row.registered_at.toISOString(),
  };
  const role = { type: 'roles', id: row.role_unique_id };
  const self = `/identities/${row.unique_id}`;
  return {
    data: {
      type: 'identities',
      id: row.unique_id,
      attributes,
      relationships: { role: { data: role } },
      links: { self },
    },
    included: include?.length === 0 ? [] : [{ ...role, attributes: { name: row.role_name } }],
    links: { self },
  };
}
