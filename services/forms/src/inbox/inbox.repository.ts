import { randomUUID } from 'node:crypto';
import { formSources } from '@site/contract';
import type { Look, SubmissionFilter, SubmissionState } from '@site/contract/inbox.schema';
import { sql, type Kysely, type Selectable } from 'kysely';
import type { FormsTables, AccessLogTable, SubscriptionTable } from '../kernel/tables.ts';

export type SubmissionRow = Selectable<SubscriptionTable>;

export interface Reading {
  by: string;
  at: Date;
}

export interface ListOptions {
  sourceId: string;
  state: SubmissionFilter;
  limit: number;
  before: { at: Date; id: string } | null;
}

export interface InboxCounts {
  sourceId: string;
  new: number;
  handled: number;
  spam: number;
  newestAt: Date | null;
}

/**
 * Submissions for the people who handle them. Reads are logged in the same transaction: without the log entry
 * nothing is returned.
 */
export interface InboxRepository {
  list(
    options: ListOptions,
    purpose: Look,
    reading: Reading,
  ): Promise<{ rows: SubmissionRow[]; more: boolean }>;
  show(id: string, reading: Reading): Promise<SubmissionRow | undefined>;
  /** Sets the state. Repeating a state changes nothing, so its first author stays. */
  mark(id: string, state: SubmissionState, reading: Reading): Promise<SubmissionRow | undefined>;
  logSubscribers(count: number, reading: Reading): Promise<void>;
  counts(): Promise<InboxCounts[]>;
}

export const submissionState = ({ suspected_spam: spam, handled }: SubmissionRow): SubmissionState =>
  spam ? 'spam' : handled ? 'handled' : 'new';

export function createInboxRepository(db: Kysely<FormsTables>): InboxRepository {
  const log = async (
    transaction: Kysely<FormsTables>,
    { by, at }: Reading,
    entry: Omit<Selectable<AccessLogTable>, 'id' | 'by' | 'at'>,
  ): Promise<void> => {
    await transaction
      .insertInto('access_log')
      .values({ id: randomUUID(), by, at, ...entry })
      .execute();
  };

  return {
    list: ({ sourceId, state, limit, before }, purpose, reading) =>
      db.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('subscriptions')
          .selectAll()
          .where('source_id', '=', sourceId)
          // Must match the predicate of the partial index.
          .$if(state === 'new', (select) => select.where(sql<boolean>`not handled and not suspected_spam`))
          .$if(state === 'handled', (select) => select.where(sql<boolean>`handled and not suspected_spam`))
          .$if(state === 'all', (select) => select.where('suspected_spam', '=', false))
          .$if(state === 'spam', (select) => select.where('suspected_spam', '=', true))
          .$if(before !== null, (select) =>
            select.where(({ eb, refTuple, tuple }) =>
              eb(refTuple('created_at', 'id'), '<', tuple(before?.at ?? new Date(0), before?.id ?? '')),
            ),
          )
          .orderBy('created_at', 'desc')
          .orderBy('id', 'desc')
          .limit(limit + 1)
          .execute();
        const rows = found.slice(0, limit);
        const action = purpose === 'list' ? 'listed' : 'exported';
        await log(transaction, reading, { action, form: sourceId, submission: null, count: rows.length });
        return { rows, more: found.length > limit };
      }),

    show: (id, reading) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom('subscriptions')
          .selectAll()
          .where('id', '=', id)
          .executeTakeFirst();
        if (row)
          await log(transaction, reading, {
            action: 'shown',
            form: row.source_id,
            submission: id,
            count: 1,
          });
        return row;
      }),

    mark: (id, state, reading) =>
      db.transaction().execute(async (transaction) => {
        const row = await transaction
          .selectFrom('subscriptions')
          .selectAll()
          .where('id', '=', id)
          .forUpdate()
          .executeTakeFirst();
        if (!row) return undefined;
        const action = `marked ${state}` as const;
        await log(transaction, reading, { action, form: row.source_id, submission: id, count: 1 });
        if (submissionState(row) === state) return row;
        return transaction
          .updateTable('subscriptions')
          .set({
            suspected_spam: state === 'spam',
            handled: state === 'handled',
            marked_at: reading.at,
            marked_by: reading.by,
          })
          .where('id', '=', id)
          .returningAll()
          .executeTakeFirstOrThrow();
      }),

    logSubscribers: (count, reading) =>
      log(db, reading, { action: 'subscribers', form: formSources.newsletter, submission: null, count }),

    async counts() {
      const rows = await db
        .selectFrom('subscriptions')
        .select(({ fn }) => [
          'source_id as sourceId',
          fn
            .countAll<string>()
            .filterWhere(sql<boolean>`not handled and not suspected_spam`)
            .as('new'),
          fn
            .countAll<string>()
            .filterWhere(sql<boolean>`handled and not suspected_spam`)
            .as('handled'),
          fn.countAll<string>().filterWhere('suspected_spam', '=', true).as('spam'),
          fn.max('created_at').filterWhere('suspected_spam', '=', false).as('newestAt'),
        ])
        .groupBy('source_id')
        .execute();
      return rows.map(({ sourceId, newestAt, ...counts }) => ({
        sourceId,
        newestAt,
        new: Number(counts.new),
        handled: Number(counts.handled),
        spam: Number(counts.spam),
      }));
    },
  };
}
