import { CONFIRM_WITHIN_HOURS, MAILS_WAIT_DAYS, NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import { advisoryLocks } from '@site/server/advisory-locks';
import { sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import type { MailLimits } from '../limits/mail-limits.ts';
import { mailboxOf } from '../limits/mailbox.ts';
import { endNewsletter, isReader } from '../newsletter/readers.repository.ts';
import type { FormsTables, InvitationTable } from '../tables.ts';
import { INVITED_ONCE_WITHIN_MS } from './skipped.ts';

export type InvitationRow = Selectable<InvitationTable>;

/** The result of sending. */
export type Ending =
  | { status: 'sent' }
  | { status: 'failed'; error: string }
  | { status: 'waiting'; error: string; nextAt: Date };

/** The outbox of invitations and confirmation emails. */
export interface InvitationsRepository {
  /**
   * Leases the next due email for this instance until `leaseUntil`; undefined if none is due. Emails to
   * unsubscribed mailboxes, to mailboxes invited within a year, or to existing subscribers end as `skipped`.
   * Emails of submissions marked as spam stay waiting. Emails beyond a limit are delayed.
   */
  claim(now: Date, leaseUntil: Date): Promise<InvitationRow | undefined>;
  /** Records the subscriber (`createReaderIds`) whom the links of a newsletter confirmation unsubscribe. */
  noteReader(id: string, reader: string): Promise<void>;
  finish(id: string, ending: Ending, now: Date): Promise<void>;
  /** The recipient of an invitation, also after the referral was erased. */
  recipientOf(id: string): Promise<string | undefined>;
  /** Ends all email to this mailbox in any spelling, and its newsletter. Idempotent. */
  unsubscribe(email: string, now: Date): Promise<void>;
  /** Drops pending emails to unsubscribed mailboxes. */
  tidy(now: Date): Promise<void>;
}

/** How long an email may wait before it is dropped. */
const WAIT_MOST_MS = MAILS_WAIT_DAYS * DAY_MS;
/** Validity of the links from the time of sending, in milliseconds. */
const usableFor: Partial<Record<InvitationRow['kind'], number>> = {
  confirmation: CONFIRM_WITHIN_HOURS * HOUR_MS,
  newsletter: NEWSLETTER_WITHIN_HOURS * HOUR_MS,
};

export function createInvitationsRepository(
  db: Kysely<FormsTables>,
  limits: MailLimits,
): InvitationsRepository {
  const claimNext = (now: Date, leaseUntil: Date): Promise<InvitationRow | undefined> =>
    db.transaction().execute(async (transaction) => {
      const due = await transaction
        .selectFrom('invitations')
        .selectAll()
        .where('status', '=', 'waiting')
        .where('next_at', '<=', now)
        .where('mailbox', 'not in', transaction.selectFrom('unsubscribed').select('unsubscribed.email'))
        // Emails of suspected spam wait, and are sent if the mark is removed.
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('subscriptions')
                .select('subscriptions.id')
                .whereRef('subscriptions.id', '=', 'invitations.subscription_id')
                .where('suspected_spam', '=', true),
            ),
          ),
        )
        .orderBy('next_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!due) return undefined;
      // Serializes instances with emails to the same mailbox, so that the second sees the first one's counts.
      await sql`select pg_advisory_xact_lock(${sql.lit(advisoryLocks.mailJudging)})`.execute(transaction);
      const change = await changeOf(transaction, due, now);
      const usable = usableFor[due.kind];
      return transaction
        .updateTable('invitations')
        .set((eb) => ({
          attempts: eb('attempts', '+', 1),
          next_at: leaseUntil,
          ...(usable === undefined ? {} : { valid_until: new Date(now.getTime() + usable) }),
          ...change,
        }))
        .where('id', '=', due.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });

  /** The update for an email that must not be sent now; nothing otherwise. */
  async function changeOf(transaction: Transaction<FormsTables>, due: InvitationRow, now: Date) {
    const skipped = { status: 'skipped' as const, attempts: 0, finished_at: now, valid_until: null };
    const isTried = due.attempts > 0;
    // Also ends retries: a late link would outlive the data it refers to.
    if (due.created_at.getTime() + WAIT_MOST_MS < now.getTime() && (!isTried || due.kind in usableFor))
      return skipped;
    if (isTried) return {};
    if (due.kind === 'invitation' && (await wasInvited(transaction, due, now))) return skipped;
    if (due.kind === 'newsletter' && (await isReader(due.mailbox, transaction))) return skipped;
    const decision = await limits.decide(due, now, transaction);
    if (!decision.go)
      return decision.drop ? skipped : { attempts: 0, next_at: decision.again, valid_until: null };
    if (due.kind === 'invitation') {
      await transaction
        .insertInto('invited')
        .values({ invitation_id: due.id, email: due.mailbox, invited_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    }
    return {};
  }

  return {
    async claim(now, leaseUntil) {
      await limits.prepare();
      for (;;) {
        const claimed = await claimNext(now, leaseUntil);
        if (!claimed || claimed.attempts > 0) return claimed;
      }
    },

    async noteReader(id, reader) {
      await db.updateTable('invitations').set({ reader_id: reader }).where('id', '=', id).execute();
    },

    async finish(id, ending, now) {
      await db.transaction().execute(async (transaction) => {
        const finished = await transaction
          .updateTable('invitations')
          .set(
            ending.status === 'waiting'
              ? { last_error: ending.error, next_at: ending.nextAt }
              : {
                  status: ending.status,
                  finished_at: now,
                  ...(ending.status === 'failed' ? { last_error: ending.error } : {}),
                },
          )
          .where('id', '=', id)
          .where('status', '=', 'waiting')
          .returning('id')
          .executeTakeFirst();
        // An undelivered invitation does not block the next one.
        if (finished && ending.status === 'failed')
          await transaction.deleteFrom('invited').where('invitation_id', '=', id).execute();
      });
    },

    async recipientOf(id) {
      const invited = await db
        .selectFrom('invited')
        .select('email')
        .where('invitation_id', '=', id)
        .executeTakeFirst();
      if (invited) return invited.email;
      const queued = await db
        .selectFrom('invitations')
        .select('recipient')
        .where('id', '=', id)
        .executeTakeFirst();
      return queued?.recipient;
    },

    async unsubscribe(email, now) {
      await db.transaction().execute(async (transaction) => {
        await transaction
          .insertInto('unsubscribed')
          .values({ email: mailboxOf(email), created_at: now })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
        await endNewsletter(mailboxOf(email), transaction);
      });
    },

    async tidy(now) {
      await db
        .updateTable('invitations')
        .set({ status: 'unsubscribed', finished_at: now })
        .where('status', '=', 'waiting')
        .where('mailbox', 'in', db.selectFrom('unsubscribed').select('unsubscribed.email'))
        .execute();
    },
  };
}

async function wasInvited(
  transaction: Transaction<FormsTables>,
  { id, mailbox }: InvitationRow,
  now: Date,
): Promise<boolean> {
  const earlier = await transaction
    .selectFrom('invited')
    .select('invitation_id')
    .where('email', '=', mailbox)
    .where('invitation_id', '<>', id)
    .where('invited_at', '>', new Date(now.getTime() - INVITED_ONCE_WITHIN_MS))
    .limit(1)
    .executeTakeFirst();
  return earlier !== undefined;
}
