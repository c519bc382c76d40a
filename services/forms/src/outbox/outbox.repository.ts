import { randomUUID } from 'node:crypto';
import { MAILS_WAIT_DAYS, type Brand } from '@site/contract';
import { advisoryLocks } from '@site/server/advisory-locks';
import { DAY_MS } from '@site/server/durations';
import { expressionBuilder, sql, type Kysely, type Selectable, type Transaction } from 'kysely';
import type { SendMailOptions } from 'nodemailer';
import { toMailbox } from '../kernel/mailbox.ts';
import type { EmailTable, FormsTables } from '../kernel/tables.ts';
import type { EmailLimits } from './email-limits.ts';
import type { EmailLink } from './email-links.ts';

export type EmailRow = Selectable<EmailTable>;

export interface EmailContext {
  brand: Brand;
  from: string;
  site: string | null;
  /** Ends all email to the recipient. */
  unsubscribeUrl: string;
  linkUrl(link: EmailLink, id: string): Promise<string>;
}

export interface EmailKind {
  linkValidMs: number | null;
  isObsolete(email: EmailRow, now: Date, transaction: Kysely<FormsTables>): Promise<boolean>;
  /** Before the first attempt, in the transaction that leases the email. */
  onClaim?(email: EmailRow, now: Date, transaction: Kysely<FormsTables>): Promise<void>;
  /** After the last failed attempt, in the transaction that records it. */
  onFailure?(id: string, transaction: Kysely<FormsTables>): Promise<void>;
  compose(email: EmailRow, context: EmailContext): SendMailOptions | Promise<SendMailOptions>;
}

export type EmailKinds = Readonly<Record<EmailRow['kind'], EmailKind>>;

export type SendResult =
  | { status: 'sent' }
  | { status: 'failed'; error: string }
  | { status: 'waiting'; error: string; nextAt: Date };

export interface Outbox {
  /**
   * Leases the next due email for this instance until `leaseUntil`; undefined if none is due. Obsolete emails end as
   * `skipped`, emails of suspected spam stay waiting, and emails beyond a limit are delayed.
   */
  claim(now: Date, leaseUntil: Date): Promise<EmailRow | undefined>;
  finish(email: Pick<EmailRow, 'id' | 'kind'>, result: SendResult, now: Date): Promise<void>;
  dropUnsubscribed(now: Date): Promise<void>;
}

const MAX_WAIT_MS = MAILS_WAIT_DAYS * DAY_MS;

export function createOutbox(db: Kysely<FormsTables>, limits: EmailLimits, kinds: EmailKinds): Outbox {
  const claimNext = (now: Date, leaseUntil: Date): Promise<EmailRow | undefined> =>
    db.transaction().execute(async (transaction) => {
      const due = await transaction
        .selectFrom('emails')
        .selectAll()
        .where('status', '=', 'waiting')
        .where('next_at', '<=', now)
        .where(({ eb, or }) => or([eb('kind', '=', 'newsletter'), eb.not(isOptedOut(transaction))]))
        // Emails of suspected spam wait, and are sent if the mark is removed.
        .where(({ exists, not, selectFrom }) =>
          not(
            exists(
              selectFrom('subscriptions')
                .select('subscriptions.id')
                .whereRef('subscriptions.id', '=', 'emails.subscription_id')
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
      const change = await decide(transaction, due, now);
      const { linkValidMs } = kinds[due.kind];
      return transaction
        .updateTable('emails')
        .set((eb) => ({
          attempts: eb('attempts', '+', 1),
          next_at: leaseUntil,
          ...(linkValidMs === null ? {} : { valid_until: new Date(now.getTime() + linkValidMs) }),
          ...change,
        }))
        .where('id', '=', due.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });

  async function decide(transaction: Transaction<FormsTables>, due: EmailRow, now: Date) {
    const kind = kinds[due.kind];
    const skipped = { status: 'skipped' as const, attempts: 0, finished_at: now, valid_until: null };
    const isRetry = due.attempts > 0;
    // Also ends retries: a late link would outlive the data it refers to.
    if (due.created_at.getTime() + MAX_WAIT_MS < now.getTime() && (!isRetry || kind.linkValidMs !== null))
      return skipped;
    if (isRetry) return {};
    if (await kind.isObsolete(due, now, transaction)) return skipped;
    const decision = await limits.decide(due, now, transaction);
    if (!decision.go)
      return decision.drop ? skipped : { attempts: 0, next_at: decision.again, valid_until: null };
    await kind.onClaim?.(due, now, transaction);
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

    async finish({ id, kind }, result, now) {
      await db.transaction().execute(async (transaction) => {
        const finished = await transaction
          .updateTable('emails')
          .set(
            result.status === 'waiting'
              ? { last_error: result.error, next_at: result.nextAt }
              : {
                  status: result.status,
                  finished_at: now,
                  ...(result.status === 'failed' ? { last_error: result.error } : {}),
                },
          )
          .where('id', '=', id)
          .where('status', '=', 'waiting')
          .returning('id')
          .executeTakeFirst();
        if (finished && result.status === 'failed') await kinds[kind].onFailure?.(id, transaction);
      });
    },

    async dropUnsubscribed(now) {
      await db
        .updateTable('emails')
        .set({ status: 'unsubscribed', finished_at: now })
        .where('status', '=', 'waiting')
        .where('kind', '<>', 'newsletter')
        .where(isOptedOut(db))
        .execute();
    },
  };
}

/** Opted-out mailboxes get only the link that confirms the newsletter: their owners' way back. */
const isOptedOut = (executor: Kysely<FormsTables>) =>
  expressionBuilder<FormsTables, 'emails'>()(
    'mailbox',
    'in',
    executor.selectFrom('unsubscribed').select('unsubscribed.email'),
  );

type NewEmail = Pick<EmailRow, 'subscription_id' | 'kind' | 'recipient' | 'sender' | 'message' | 'status'>;

export const newEmail = (email: NewEmail, at: Date): EmailRow => ({
  id: randomUUID(),
  mailbox: toMailbox(email.recipient),
  attempts: 0,
  next_at: at,
  last_error: null,
  created_at: at,
  finished_at: null,
  valid_until: null,
  subscriber_id: null,
  ...email,
});

type ConfirmationKind = 'confirmation' | 'newsletter';

/** To a referral's sender or a newsletter address. Contains no user input except the recipient's address. */
export const newConfirmation = (
  kind: ConfirmationKind,
  { id, email }: { id: string; email: string },
  at: Date,
): EmailRow =>
  newEmail(
    { subscription_id: id, kind, recipient: email, sender: email, message: '', status: 'waiting' },
    at,
  );

/**
 * Links work from the moment the email may have been sent: an email the server accepted may still be stored as waiting.
 */
const usable: EmailRow['status'][] = ['waiting', 'sent'];

export function isLinkValid(
  { status, valid_until }: Pick<EmailRow, 'status' | 'valid_until'>,
  now: Date,
): boolean {
  return usable.includes(status) && valid_until !== null && valid_until > now;
}

/** Uses a confirmation link, atomically. @returns the email; undefined if its link cannot be used. */
export function redeemLink(
  transaction: Kysely<FormsTables>,
  kind: ConfirmationKind,
  id: string,
  now: Date,
): Promise<Pick<EmailRow, 'subscription_id' | 'mailbox' | 'recipient'> | undefined> {
  return transaction
    .updateTable('emails')
    .set({ status: 'confirmed', finished_at: now })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('status', 'in', usable)
    .where('valid_until', '>', now)
    .returning(['subscription_id', 'mailbox', 'recipient'])
    .executeTakeFirst();
}
