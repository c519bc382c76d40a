import { formSources, MAILS_WAIT_DAYS } from '@site/contract';
import { sql, type Kysely, type Selectable } from 'kysely';
import { confirmationFor, isGood, spendLink } from '../invitations/confirmations.repository.ts';
import { DAY } from '../limits/counts.ts';
import { mailboxIn } from '../limits/mailbox.ts';
import type { FormsTables, ReaderTable } from '../tables.ts';
import type { ReaderIdOf } from './reader-ids.ts';

/** A reader and the consent, as they are exported. */
export interface Reader extends Pick<Selectable<ReaderTable>, 'id' | 'email' | 'confirmed_at' | 'wording'> {
  /** When the address was entered. */
  asked_at: Date;
}

/** Where a list goes on. */
export type AfterReader = Pick<Reader, 'confirmed_at' | 'id'>;

/** The readers of the newsletter in the database: addresses whose owners have confirmed them. */
export interface ReadersRepository {
  /** How the link of a mail stands. */
  look(mail: string, now: Date): Promise<'open' | 'used' | 'over' | 'unknown'>;
  /** Uses a link once: the address is a reader then, who agreed to these words. */
  confirm(mail: string, wording: string, now: Date): Promise<'confirmed' | 'used' | 'over' | 'unknown'>;
  /** Sends the question once more, unless it still waits. How often a day, and to whom not, is decided when it is its turn. */
  askAgain(subscriptionId: string, now: Date): Promise<void>;
  /** Ends the newsletter for a reader; nothing when there is none of this id any more. */
  leave(reader: string): Promise<void>;
  /** Those who get the newsletter, the first confirmed first; none that came with what is taken for spam. */
  list(options: { limit: number; after?: AfterReader | undefined }): Promise<Reader[]>;
}

export function createReadersRepository(db: Kysely<FormsTables>, readerIdOf: ReaderIdOf): ReadersRepository {
  const find = (mail: string) =>
    db
      .selectFrom('invitations')
      .innerJoin('subscriptions', 'subscriptions.id', 'invitations.subscription_id')
      .select(['invitations.status', 'valid_until', 'recipient', 'subscriptions.confirmed_at'])
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
        // Of two repetitions at the same time, the second sees what the first has asked.
        const subscription = await transaction
          .selectFrom('subscriptions')
          .select(['id', 'email', 'remove_at', 'confirmed_at'])
          .where('id', '=', subscriptionId)
          .where('suspected_spam', '=', false)
          .forUpdate()
          .executeTakeFirst();
        if (!subscription || subscription.confirmed_at !== null) return;
        const waits = await transaction
          .selectFrom('invitations')
          .select('id')
          .where('subscription_id', '=', subscriptionId)
          .where('status', '=', 'waiting')
          .executeTakeFirst();
        if (waits) return;
        // One from before confirmations has no end, and gets none by being asked.
        if (subscription.remove_at !== null) {
          await transaction
            .updateTable('subscriptions')
            .set({ remove_at: removeUnconfirmedAt(now) })
            .where('id', '=', subscriptionId)
            .execute();
        }
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

/** When an address goes that nobody has confirmed. */
export function removeUnconfirmedAt(askedAt: Date): Date {
  return new Date(askedAt.getTime() + MAILS_WAIT_DAYS * DAY);
}

/** Removes all that subscribes a mailbox, confirmed or not, and with it what waits for it. */
export async function endNewsletter(mailbox: string, transaction: Kysely<FormsTables>): Promise<void> {
  await transaction
    .deleteFrom('subscriptions')
    .where('source_id', '=', formSources.newsletter)
    .where(sql<boolean>`${mailboxIn('subscriptions.email')} = ${mailbox}`)
    .execute();
}
