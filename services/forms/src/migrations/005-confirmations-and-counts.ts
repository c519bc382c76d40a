import { sql, type Kysely } from 'kysely';

/** The columns at the time of this migration. */
interface Tables {
  invitations: {
    id: string;
    subscription_id: string;
    recipient: string;
    mailbox: string;
    kind: string;
    sender: string;
    message: string;
    status: string;
    attempts: number;
    next_at: Date;
    created_at: Date;
  };
  invited: { email: string };
  unsubscribed: { email: string; created_at: Date };
}

/** `mailboxOf` as SQL. */
const mailbox = (column: string) =>
  sql<string>`regexp_replace(lower(${sql.ref(column)}), '^([^+@]+)\\+[^@]*@', '\\1@')`;

/**
 * Adds confirmations by senders, mailboxes and counters. Pending invitations now wait for the confirmation of
 * their sender.
 */
export async function addConfirmationsAndCounts(untyped: Kysely<unknown>): Promise<void> {
  const db = untyped as Kysely<Tables>;
  await db.schema
    .alterTable('invitations')
    .addColumn('kind', 'text', (column) => column.notNull().defaultTo('invitation'))
    .execute();
  await db.schema.alterTable('invitations').addColumn('mailbox', 'text').execute();
  await db.schema.alterTable('invitations').addColumn('valid_until', 'timestamptz').execute();
  await db
    .updateTable('invitations')
    .set({ mailbox: mailbox('recipient') })
    .execute();
  await db.schema
    .alterTable('invitations')
    .alterColumn('mailbox', (column) => column.setNotNull())
    .execute();
  await db.schema
    .createIndex('invitations_by_subscription')
    .on('invitations')
    .column('subscription_id')
    .execute();

  await db
    .insertInto('invitations')
    .columns([
      'id',
      'subscription_id',
      'recipient',
      'mailbox',
      'kind',
      'sender',
      'message',
      'next_at',
      'created_at',
    ])
    .expression((query) =>
      query
        .selectFrom('invitations')
        .where('status', '=', 'waiting')
        .groupBy(['subscription_id', 'sender'])
        .select((eb) => [
          sql<string>`gen_random_uuid()`.as('id'),
          'subscription_id',
          'sender as recipient',
          mailbox('sender').as('mailbox'),
          sql<string>`'confirmation'`.as('kind'),
          'sender',
          sql<string>`''`.as('message'),
          eb.fn.min('created_at').as('next_at'),
          eb.fn.min('created_at').as('created_at'),
        ]),
    )
    .execute();
  await db
    .updateTable('invitations')
    .set({ status: 'unconfirmed', attempts: 0 })
    .where('status', '=', 'waiting')
    .where('kind', '=', 'invitation')
    .execute();

  await db
    .updateTable('invited')
    .set({ email: mailbox('email') })
    .execute();
  await db
    .insertInto('unsubscribed')
    .columns(['email', 'created_at'])
    .expression((query) =>
      query.selectFrom('unsubscribed').select([mailbox('email').as('email'), 'created_at']),
    )
    .onConflict((conflict) => conflict.doNothing())
    .execute();
  await db.deleteFrom('unsubscribed').where('email', '<>', mailbox('email')).execute();

  await db.schema.alterTable('subscriptions').addColumn('confirmed_at', 'timestamptz').execute();
  await db.schema
    .createIndex('subscriptions_suspected')
    .on('subscriptions')
    .columns(['created_at', 'id'])
    .where(sql.ref('suspected_spam'), '=', true)
    .execute();

  await db.schema
    .createTable('counts')
    .addColumn('key', 'text', (column) => column.primaryKey())
    .addColumn('count', 'integer', (column) => column.notNull())
    .addColumn('ends_at', 'timestamptz', (column) => column.notNull())
    .execute();
  await db.schema.createIndex('counts_by_end').on('counts').column('ends_at').execute();
}
