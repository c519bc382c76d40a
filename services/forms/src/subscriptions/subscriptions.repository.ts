import type { Kysely, Selectable } from 'kysely';
import type { FormsTables, SubscriptionTable } from '../tables.ts';

export type SubscriptionRow = Selectable<SubscriptionTable>;

/** The subscriptions in the database. */
export type SubscriptionsRepository = ReturnType<typeof createSubscriptionsRepository>;

export function createSubscriptionsRepository(db: Kysely<FormsTables>) {
  return {
    /** Stores a row, unless its visitor has sent one with the same key or content: then gives that one. */
    async store(row: SubscriptionRow): Promise<{ stored: SubscriptionRow; created: boolean }> {
      const created = await db
        .insertInto('subscriptions')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (created) return { stored: created, created: true };
      const stored = await db
        .selectFrom('subscriptions')
        .selectAll()
        .where('visitor_unique_id', '=', row.visitor_unique_id)
        .where(({ eb, or }) =>
          or([eb('idempotency_key', '=', row.idempotency_key), eb('natural_key', '=', row.natural_key)]),
        )
        // A row with the same key says more about this request than one with the same content.
        .orderBy(
          (eb) => eb.fn.coalesce(eb('idempotency_key', '=', row.idempotency_key), eb.lit(false)),
          'desc',
        )
        .executeTakeFirstOrThrow();
      return { stored, created: false };
    },
  };
}
