import { formSources, MAILS_WAIT_DAYS, NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import { sql, type Kysely, type Selectable } from 'kysely';
import { confirmationFor, isGood, spendLink } from '../invitations/confirmations.repository.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import { mailboxIn, mailboxOf } from '../limits/mailbox.ts';
import type { FormsTables, ReaderTable } from '../tables.ts';
import type { ReaderIdOf } from './reader-ids.ts';

/** A subscriber with the consent, as exported. */
export interface StoredReader extends Pick<
  Selectable<ReaderTable>,
  'id' | 'email' | 'confirmed_at' | 'wording'
> {
  asked_at: Date;
}

/** Where a list continues. */
export type AfterReader = Pick<StoredReader, 'confirmed_at' | 'id'>;

/** Newsletter subscribers: addresses confirmed by their owners. */
export interface ReadersRepository {
  /** The state of an email link. */
  look(mail: string, now: Date): Promise<'open' | 'used' | 'over' | 'unknown'>;
  /** Uses a link once: the address becomes a subscriber who agreed to this text. */
  confirm(mail: string, wording: string, now: Date): Promise<'confirmed' | 'used' | 'over' | 'unknown'>;
  /**
   * Queues the confirmation email again, unless it is still pending. Limits and exclusions apply when it is
   * due.
   */
  askAgain(subscriptionId: string, now: Date): Promise<void>;
  /** Ends the newsletter and drops pending confirmations; does nothing for an unknown subscriber. */
  leave(reader: string): Promise<void>;
  /** The subscribers in order of confirmation, without suspected spam. */
  list(options: { limit: number; after?: AfterReader | undefined }): Promise<StoredReader[]>;
}

export function createReadersRepository(db: Kysely<FormsTables>, readerIdOf: ReaderIdOf): ReadersRepository {
  const find = (mail: string) =>
    db
      .selectFrom('invitations')
      .innerJoin('subscriptions', 'subscriptions.id', 'invitations.subscription_id')
      .select([
        'invitations.status',
        'valid_until',
        'recipient',
        'subscription_id',
        'subscriptions.confirmed_at',
      ])
      .where('invitations.id', '=', mail)
      .where('kind', '=', 'newsletter')
      .executeTakeFirst();

  function stateOf(found: Awaited<ReturnType<typeof find>>, now: Date): 'open' | 'used' | 'over' | 'unknown' {
    if (!found) return 'unknown';
    if (found.status === 'confirmed' || found.confirmed_at !== null) return 'used';
    return isGood(found, now) ? 'open' : 'over';
  }

  return {
    look: async (mail, now) => stateOf(await find(mail), now),

    async confirm(mail, wording, now) {
      const found = await find(mail);
      if (!found) return 'unknown';
      const id = await readerIdOf(found.recipient);
      const confirmed = await db.transaction().execute(async (transaction) => {
        // Locks in this order, like entering the address again and unsubscribing.
        await transaction
          .selectFrom('subscriptions')
          .select('id')
          .where('id', '=', found.subscription_id)
          .forUpdate()
          .execute();
        const used = await spendLink(transaction, 'newsletter', mail, now);
        if (!used) return false;
        const { subscription_id, mailbox, recipient: email } = used;
        const first = await transaction
          .updateTable('subscriptions')
          .set({ confirmed_at: now, remove_at: null })
          .where('id', '=', subscription_id)
          .where('confirmed_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!first) return false;
        const reader = { subscription_id, mailbox, email, confirmed_at: now, wording };
        await transaction
          .insertInto('readers')
          .values({ id, ...reader })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(reader))
          .execute();
        return true;
      });
      if (confirmed) return 'confirmed';
      const state = stateOf(await find(mail), now);
      return state === 'open' ? 'over' : state;
    },

    askAgain: (subscriptionId, now) =>
      db.transaction().execute(async (transaction) => {
        // Of two concurrent repetitions, the second sees the first one's request.
        const subscription = await transaction
          .selectFrom('subscriptions')
          .select(['id', 'email'])
          .where('id', '=', subscriptionId)
          .where('suspected_spam', '=', false)
          .forUpdate()
          .executeTakeFirst();
        if (!subscription) return;
        // This row's own confirmation is not sufficient: the subscriber may have come and gone with another
        // row of the mailbox.
        if (await isReader(mailboxOf(subscription.email), transaction)) return;
        await transaction
          .updateTable('subscriptions')
          .set({ confirmed_at: null, remove_at: removeUnconfirmedAt(now) })
          .where('id', '=', subscriptionId)
          .execute();
        // Restarts the queued email's expiry.
        const waits = await transaction
          .updateTable('invitations')
          .set({ created_at: now })
          .where('subscription_id', '=', subscriptionId)
          .where('status', '=', 'waiting')
          .returning('id')
          .executeTakeFirst();
        if (waits) return;
        await transaction
          .insertInto('invitations')
          .values(confirmationFor('newsletter', subscription, now))
          .execute();
      }),

    leave: (reader) =>
      db.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('readers')
          .select('mailbox')
          .where('id', '=', reader)
          // Treats an unconfirmed address as declined: drops its pending emails and invalidates its links.
          .union(transaction.selectFrom('invitations').select('mailbox').where('reader_id', '=', reader))
          .executeTakeFirst();
        if (found) await endNewsletter(found.mailbox, transaction);
      }),

    list: ({ limit, after }) =>
      db
        .selectFrom('readers')
        .innerJoin('subscriptions', 'subscriptions.id', 'readers.subscription_id')
        .select([
          'readers.id',
          'readers.email',
          'readers.confirmed_at',
          'readers.wording',
          'subscriptions.created_at as asked_at',
        ])
        .where('subscriptions.suspected_spam', '=', false)
        .$if(after !== undefined, (select) =>
          select.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('readers.confirmed_at', 'readers.id'),
              '>',
              tuple(after?.confirmed_at ?? new Date(0), after?.id ?? ''),
            ),
          ),
        )
        .orderBy('readers.confirmed_at')
        .orderBy('readers.id')
        .limit(limit)
        .execute(),
  };
}

/**
 * Retention of unconfirmed addresses in days: the maximum wait of the email plus the validity of its link.
 */
export const UNCONFIRMED_DAYS = MAILS_WAIT_DAYS + (NEWSLETTER_WITHIN_HOURS * HOUR_MS) / DAY_MS;

export function removeUnconfirmedAt(askedAt: Date): Date {
  return new Date(askedAt.getTime() + UNCONFIRMED_DAYS * DAY_MS);
}

/** Whether a mailbox (`mailboxOf`) has an active subscription. */
export async function isReader(mailbox: string, transaction: Kysely<FormsTables>): Promise<boolean> {
  const reader = await transaction
    .selectFrom('readers')
    .select('id')
    .where('mailbox', '=', mailbox)
    .executeTakeFirst();
  return reader !== undefined;
}

/**
 * Removes confirmed addresses without an active subscription: they get no newsletter, and no link would end
 * it.
 */
export const deleteReaderless = (transaction: Kysely<FormsTables>) =>
  transaction
    .deleteFrom('subscriptions')
    .where('source_id', '=', formSources.newsletter)
    .where('confirmed_at', 'is not', null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('readers').select('id').whereRef('readers.subscription_id', '=', 'subscriptions.id'),
        ),
      ),
    )
    // Another submission of the same mailbox may be the subscriber's.
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('readers')
            .select('id')
            .whereRef('readers.mailbox', '=', mailboxIn('subscriptions.email')),
        ),
      ),
    );

/** Removes all subscriptions of a mailbox, confirmed or not, and its pending emails. */
export async function endNewsletter(mailbox: string, transaction: Kysely<FormsTables>): Promise<void> {
  await transaction
    .deleteFrom('subscriptions')
    .where('source_id', '=', formSources.newsletter)
    .where(sql<boolean>`${mailboxIn('subscriptions.email')} = ${mailbox}`)
    .execute();
}
