import { countRows } from '@site/server/visitor-admin';
import type { VisitorRecords } from '@site/server/visitor-admin';
import type { Kysely } from 'kysely';
import type { FormsTables } from './tables.ts';

/**
 * What the forms service stores about a visitor: the identity, what it submitted, and the mails that were queued for
 * that. What somebody sent without an identity belongs to no visitor. The list of addresses that want no mail stays: it
 * is kept by address, and is what keeps mail from them.
 */
export function createVisitorRecords(db: Kysely<FormsTables>): VisitorRecords {
  return {
    read: async (id) => ({
      identities: await db.selectFrom('identities').selectAll().where('unique_id', '=', id).execute(),
      subscriptions: await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('visitor_unique_id', '=', id)
        .orderBy('created_at')
        .execute(),
      invitations: await db
        .selectFrom('invitations')
        .selectAll()
        .where('subscription_id', 'in', (query) =>
          query.selectFrom('subscriptions').select('subscriptions.id').where('visitor_unique_id', '=', id),
        )
        .orderBy('created_at')
        .orderBy('recipient')
        .execute(),
    }),

    erase: (id, audit) =>
      db.transaction().execute(async (transaction) => {
        const invitations = await transaction
          .deleteFrom('invitations')
          .where('subscription_id', 'in', (query) =>
            query.selectFrom('subscriptions').select('subscriptions.id').where('visitor_unique_id', '=', id),
          )
          .returning('id')
          .execute();
        const subscriptions = await transaction
          .deleteFrom('subscriptions')
          .where('visitor_unique_id', '=', id)
          .returning('id')
          .execute();
        const identities = await transaction
          .deleteFrom('identities')
          .where('unique_id', '=', id)
          .returning('unique_id')
          .execute();
        const rows = {
          identities: identities.length,
          subscriptions: subscriptions.length,
          invitations: invitations.length,
        };
        if (countRows(rows) > 0) await transaction.insertInto('audit').values(audit(rows)).execute();
        return rows;
      }),
  };
}
