import { advisoryLocks } from '@site/server/advisory-locks';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { SolvedChallenge } from './captcha.ts';
import type { CountReferral } from '../kernel/post-limits.ts';
import { addNotice, type Notice } from '../outbox/notices.ts';
import type { EmailRow } from '../outbox/outbox.repository.ts';
import type { FormsTables, SubscriptionTable } from '../kernel/tables.ts';

export type SubscriptionRow = Selectable<SubscriptionTable>;

export interface Stored {
  stored: SubscriptionRow;
  created: boolean;
}

export interface RelatedRows<Spend extends SolvedChallenge | null> {
  spend: Spend;
  emails: EmailRow[];
  notice: Notice | null;
  /** Counts a referral; null otherwise. If it throws, nothing is stored. */
  countReferral: CountReferral | null;
}

export interface SubscriptionsRepository {
  /**
   * Stores a row with its related data, unless its key, or the same content of the same visitor, is stored
   * already: then returns that row. `spent`: the captcha was already used and nothing was stored.
   */
  store(row: SubscriptionRow, related: RelatedRows<null>): Promise<Stored>;
  store(row: SubscriptionRow, related: RelatedRows<SolvedChallenge>): Promise<Stored | 'spent'>;
  find(row: SubscriptionRow): Promise<SubscriptionRow | undefined>;
}

class SpentError extends Error {}

export function createSubscriptionsRepository(db: Kysely<FormsTables>): SubscriptionsRepository {
  const insert = async (executor: Kysely<FormsTables>, row: SubscriptionRow): Promise<Stored> => {
    for (;;) {
      const created = await executor
        .insertInto('subscriptions')
        .values(row)
        .onConflict((conflict) => conflict.doNothing())
        .returningAll()
        .executeTakeFirst();
      if (created) return { stored: created, created: true };
      const stored = await findSame(executor, row).executeTakeFirst();
      // Otherwise it was erased in the meantime: store it again.
      if (stored) return { stored, created: false };
    }
  };

  async function store(row: SubscriptionRow, related: RelatedRows<null>): Promise<Stored>;
  async function store(
    row: SubscriptionRow,
    related: RelatedRows<SolvedChallenge>,
  ): Promise<Stored | 'spent'>;
  async function store(
    row: SubscriptionRow,
    { spend, emails, notice, countReferral }: RelatedRows<SolvedChallenge | null>,
  ): Promise<Stored | 'spent'> {
    try {
      return await db.transaction().execute(async (transaction) => {
        const result = await insert(transaction, row);
        if (!result.created) return result;
        if (spend !== null) {
          const first = await transaction
            .insertInto('spent_challenges')
            .values(spend)
            .onConflict((conflict) => conflict.doNothing())
            .returning('id')
            .executeTakeFirst();
          if (!first) throw new SpentError();
        }
        if (row.suspected_spam) await removeOldSpam(transaction);
        if (notice) await addNotice(transaction, notice, row.created_at);
        if (emails.length > 0) {
          await countReferral?.(transaction);
          await transaction.insertInto('emails').values(emails).execute();
        }
        return result;
      });
    } catch (error) {
      if (error instanceof SpentError) return 'spent';
      throw error;
    }
  }

  return { store, find: (row) => findSame(db, row).executeTakeFirst() };
}

/** The maximum number of stored suspected spam, which anyone can send for free. */
export const MAX_SPAM = 1_000;

async function removeOldSpam(transaction: Kysely<FormsTables>): Promise<void> {
  await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLocks.spamRemoval)})`.execute(transaction);
  await transaction
    .deleteFrom('subscriptions')
    .where('id', 'in', (query) =>
      query
        .selectFrom('subscriptions')
        .select('id')
        .where('suspected_spam', '=', true)
        // Automatic spam does not displace spam marked by a person.
        .where('marked_at', 'is', null)
        .orderBy('created_at', 'desc')
        .orderBy('id', 'desc')
        .offset(MAX_SPAM),
    )
    .execute();
}

function findSame(db: Kysely<FormsTables>, row: SubscriptionRow) {
  return (
    db
      .selectFrom('subscriptions')
      .selectAll()
      .where(({ and, eb, or }) =>
        or([
          eb('idempotency_key', '=', row.idempotency_key),
          and([eb('visitor_unique_id', '=', row.visitor_unique_id), eb('natural_key', '=', row.natural_key)]),
        ]),
      )
      // A row with the same key is a better match than one with the same content.
      .orderBy((eb) => eb.fn.coalesce(eb('idempotency_key', '=', row.idempotency_key), eb.lit(false)), 'desc')
  );
}
