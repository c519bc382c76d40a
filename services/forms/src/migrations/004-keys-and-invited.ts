import { sql, type Kysely } from 'kysely';

/** The columns at the time of this migration. */
interface Tables {
  subscriptions: { id: string; idempotency_key: string | null; created_at: Date };
  invitations: {
    id: string;
    recipient: string;
    status: string;
    attempts: number;
    created_at: Date;
    finished_at: Date | null;
  };
  invited: { invitation_id: string; email: string; invited_at: Date };
}

/** Makes idempotency keys unique across visitors, and keeps the invited addresses beyond their referral. */
export async function addKeysAndInvited(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<Tables>;
  // Where a retry was stored again under another identity, the first one keeps the key.
  await db
    .updateTable('subscriptions')
    .set({ idempotency_key: null })
    .where('id', 'in', (query) =>
      query
        .selectFrom('subscriptions as later')
        .innerJoin('subscriptions as earlier', 'earlier.idempotency_key', 'later.idempotency_key')
        .where(({ and, eb, or, ref }) =>
          or([
            eb('earlier.created_at', '<', ref('later.created_at')),
            and([
              eb('earlier.created_at', '=', ref('later.created_at')),
              eb('earlier.id', '<', ref('later.id')),
            ]),
          ]),
        )
        .select('later.id'),
    )
    .execute();
  await db.schema.alterTable('subscriptions').dropConstraint('subscription_once_per_key').execute();
  await db.schema
    .alterTable('subscriptions')
    .addUniqueConstraint('subscription_once_per_key', ['idempotency_key'])
    .execute();

  await db.schema
    .createTable('invited')
    .addColumn('invitation_id', 'uuid', (column) => column.primaryKey())
    .addColumn('email', 'text', (column) => column.notNull())
    .addColumn('invited_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('invited_by_email').on('invited').columns(['email', 'invited_at']).execute();
  await db
    .insertInto('invited')
    .columns(['invitation_id', 'email', 'invited_at'])
    .expression((query) =>
      query
        .selectFrom('invitations')
        .select((eb) => [
          'id',
          sql<string>`lower(recipient)`.as('email'),
          eb.fn.coalesce('finished_at', 'created_at').as('invited_at'),
        ])
        .where('attempts', '>', 0)
        .where('status', '<>', 'failed'),
    )
    .execute();
}
