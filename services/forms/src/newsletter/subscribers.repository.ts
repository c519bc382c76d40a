import { createHmac } from 'node:crypto';
import { formSources, MAILS_WAIT_DAYS, NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import { sql, type Kysely, type Selectable } from 'kysely';
import { mailboxSql, toMailbox } from '../kernel/mailbox.ts';
import type { FormsTables, SubscriberTable } from '../kernel/tables.ts';
import { isLinkValid, newConfirmation, redeemLink } from '../outbox/outbox.repository.ts';

export interface StoredSubscriber extends Pick<
  Selectable<SubscriberTable>,
  'id' | 'email' | 'confirmed_at' | 'wording'
> {
  asked_at: Date;
}

type LinkState = 'open' | 'used' | 'expired' | 'unknown';

export interface SubscribersRepository {
  readLink(emailId: string, now: Date): Promise<LinkState>;
  /** Uses a link once: the address becomes a subscriber who agreed to this text, and is no longer opted out. */
  confirm(emailId: string, wording: string, now: Date): Promise<'confirmed' | Exclude<LinkState, 'open'>>;
  /** Queues the confirmation email again, unless it is still pending. */
  requestAgain(subscriptionId: string, now: Date): Promise<void>;
  /** Ends the newsletter and drops pending confirmations; does nothing for an unknown subscriber. */
  unsubscribe(subscriberId: string): Promise<void>;
  list(options: {
    limit: number;
    after?: Pick<StoredSubscriber, 'confirmed_at' | 'id'> | undefined;
  }): Promise<StoredSubscriber[]>;
}

export type CreateSubscriberId = (email: string) => Promise<string>;

/**
 * A keyed hash of the mailbox as a UUID (RFC 9562, version 8): stable across subscriptions, so that the link in an old
 * newsletter still works although nothing was stored in between.
 */
export function createSubscriberIds(secret: () => Promise<string>): CreateSubscriberId {
  return async (email) => {
    const bytes = createHmac('sha256', await secret())
      .update(toMailbox(email))
      .digest()
      .subarray(0, 16);
    bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
    bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
    return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})/, '$1-$2-$3-$4-');
  };
}

export function createSubscribersRepository(
  db: Kysely<FormsTables>,
  createSubscriberId: CreateSubscriberId,
): SubscribersRepository {
  const find = (emailId: string) =>
    db
      .selectFrom('emails')
      .innerJoin('subscriptions', 'subscriptions.id', 'emails.subscription_id')
      .select(['emails.status', 'valid_until', 'recipient', 'subscription_id', 'subscriptions.confirmed_at'])
      .where('emails.id', '=', emailId)
      .where('kind', '=', 'newsletter')
      .executeTakeFirst();

  function linkState(found: Awaited<ReturnType<typeof find>>, now: Date): LinkState {
    if (!found) return 'unknown';
    if (found.status === 'confirmed' || found.confirmed_at !== null) return 'used';
    return isLinkValid(found, now) ? 'open' : 'expired';
  }

  return {
    readLink: async (emailId, now) => linkState(await find(emailId), now),

    async confirm(emailId, wording, now) {
      const found = await find(emailId);
      if (!found) return 'unknown';
      const id = await createSubscriberId(found.recipient);
      const isConfirmed = await db.transaction().execute(async (transaction) => {
        // Locks in this order, like entering the address again and unsubscribing.
        await transaction
          .selectFrom('subscriptions')
          .select('id')
          .where('id', '=', found.subscription_id)
          .forUpdate()
          .execute();
        const redeemed = await redeemLink(transaction, 'newsletter', emailId, now);
        if (!redeemed) return false;
        const { subscription_id, mailbox, recipient: email } = redeemed;
        const first = await transaction
          .updateTable('subscriptions')
          .set({ confirmed_at: now, remove_at: null })
          .where('id', '=', subscription_id)
          .where('confirmed_at', 'is', null)
          .returning('id')
          .executeTakeFirst();
        if (!first) return false;
        await transaction.deleteFrom('unsubscribed').where('email', '=', mailbox).execute();
        const subscriber = { subscription_id, mailbox, email, confirmed_at: now, wording };
        await transaction
          .insertInto('subscribers')
          .values({ id, ...subscriber })
          .onConflict((conflict) => conflict.column('id').doUpdateSet(subscriber))
          .execute();
        return true;
      });
      if (isConfirmed) return 'confirmed';
      const state = linkState(await find(emailId), now);
      return state === 'open' ? 'expired' : state;
    },

    requestAgain: (subscriptionId, now) =>
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
        // This row's own confirmation is not sufficient: the subscriber may have come and gone with another row of the
        // mailbox.
        if (await isSubscribed(toMailbox(subscription.email), transaction)) return;
        await transaction
          .updateTable('subscriptions')
          .set({ confirmed_at: null, remove_at: unconfirmedExpiry(now) })
          .where('id', '=', subscriptionId)
          .execute();
        // Restarts the queued email's expiry.
        const waiting = await transaction
          .updateTable('emails')
          .set({ created_at: now })
          .where('subscription_id', '=', subscriptionId)
          .where('status', '=', 'waiting')
          .returning('id')
          .executeTakeFirst();
        if (waiting) return;
        await transaction
          .insertInto('emails')
          .values(newConfirmation('newsletter', subscription, now))
          .execute();
      }),

    unsubscribe: (subscriberId) =>
      db.transaction().execute(async (transaction) => {
        const found = await transaction
          .selectFrom('subscribers')
          .select('mailbox')
          .where('id', '=', subscriberId)
          // Treats an unconfirmed address as declined: drops its pending emails and invalidates its links.
          .union(transaction.selectFrom('emails').select('mailbox').where('subscriber_id', '=', subscriberId))
          .executeTakeFirst();
        if (found) await endNewsletter(found.mailbox, transaction);
      }),

    list: ({ limit, after }) =>
      db
        .selectFrom('subscribers')
        .innerJoin('subscriptions', 'subscriptions.id', 'subscribers.subscription_id')
        .select([
          'subscribers.id',
          'subscribers.email',
          'subscribers.confirmed_at',
          'subscribers.wording',
          'subscriptions.created_at as asked_at',
        ])
        .where('subscriptions.suspected_spam', '=', false)
        .$if(after !== undefined, (select) =>
          select.where(({ eb, refTuple, tuple }) =>
            eb(
              refTuple('subscribers.confirmed_at', 'subscribers.id'),
              '>',
              tuple(after?.confirmed_at ?? new Date(0), after?.id ?? ''),
            ),
          ),
        )
        .orderBy('subscribers.confirmed_at')
        .orderBy('subscribers.id')
        .limit(limit)
        .execute(),
  };
}

/** Retention of unconfirmed addresses: the maximum wait of the email plus the validity of its link. */
export const UNCONFIRMED_DAYS = MAILS_WAIT_DAYS + (NEWSLETTER_WITHIN_HOURS * HOUR_MS) / DAY_MS;

export function unconfirmedExpiry(requestedAt: Date): Date {
  return new Date(requestedAt.getTime() + UNCONFIRMED_DAYS * DAY_MS);
}

export async function isSubscribed(mailbox: string, transaction: Kysely<FormsTables>): Promise<boolean> {
  const subscriber = await transaction
    .selectFrom('subscribers')
    .select('id')
    .where('mailbox', '=', mailbox)
    .executeTakeFirst();
  return subscriber !== undefined;
}

/**
 * Removes confirmed addresses without an active subscription: they get no newsletter, and no link would end it.
 */
export const deleteOrphanedSubscriptions = (transaction: Kysely<FormsTables>) =>
  transaction
    .deleteFrom('subscriptions')
    .where('source_id', '=', formSources.newsletter)
    .where('confirmed_at', 'is not', null)
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('subscribers')
            .select('id')
            .whereRef('subscribers.subscription_id', '=', 'subscriptions.id'),
        ),
      ),
    )
    // Another submission of the same mailbox may be the subscriber's.
    .where(({ exists, not, selectFrom }) =>
      not(
        exists(
          selectFrom('subscribers')
            .select('id')
            .whereRef('subscribers.mailbox', '=', mailboxSql('subscriptions.email')),
        ),
      ),
    );

/** Removes all subscriptions of a mailbox, confirmed or not, and its pending emails. */
export async function endNewsletter(mailbox: string, transaction: Kysely<FormsTables>): Promise<void> {
  await transaction
    .deleteFrom('subscriptions')
    .where('source_id', '=', formSources.newsletter)
    .where(sql<boolean>`${mailboxSql('subscriptions.email')} = ${mailbox}`)
    .execute();
}
