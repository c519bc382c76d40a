import { randomUUID } from 'node:crypto';
import type { Kysely, Selectable } from 'kysely';
import { mailboxOf } from '../limits/mailbox.ts';
import type { CountReferral } from '../limits/post-limits.ts';
import type { FormsTables, InvitationTable, SubscriptionTable } from '../tables.ts';
import { divideRecipients, type Referral, type Skipped } from './skipped.ts';

export interface Confirmable {
  status: 'open';
  recipients: string[];
  /** Recipients skipped because of the sender's own actions. */
  skipped: Skipped[];
  message: string;
}

/** The state of a link. `over`: it expired unused. */
export type LinkState = Confirmable | { status: 'used' | 'over' | 'unknown' };

/** The result of using a link. */
export type Ended =
  | { status: 'confirmed'; skipped: Skipped[]; invitesNobody: boolean }
  | { status: 'used' | 'over' | 'unknown' };

export interface ConfirmationsRepository {
  look(id: string, now: Date): Promise<LinkState>;
  /** Uses a link once and releases the referral's invitations. Returns the result. */
  confirm(id: string, now: Date): Promise<Ended>;
  /**
   * Requests the confirmation of a repeated referral again, unless it is confirmed or a link is valid.
   * `count` counts it as another referral.
   */
  askAgain(subscriptionId: string, now: Date, count: CountReferral): Promise<void>;
}

/** Kinds of emails that request a confirmation. */
type ConfirmationKind = 'confirmation' | 'newsletter';

/**
 * Links work from the moment the email may have been sent: an email the server accepted may still be stored
 * as waiting.
 */
const usable: Selectable<InvitationTable>['status'][] = ['waiting', 'sent'];

type Confirmed = Pick<Selectable<SubscriptionTable>, 'id' | 'email'>;

/**
 * The confirmation email for a referral's sender or a newsletter address. It contains no user input except
 * the recipient's address.
 */
export function confirmationFor(
  kind: ConfirmationKind,
  { id, email }: Confirmed,
  at: Date,
): Selectable<InvitationTable> {
  return {
    id: randomUUID(),
    subscription_id: id,
    kind,
    recipient: email,
    mailbox: mailboxOf(email),
    sender: email,
    message: '',
    status: 'waiting',
    attempts: 0,
    next_at: at,
    last_error: null,
    created_at: at,
    finished_at: null,
    valid_until: null,
    reader_id: null,
  };
}

export function createConfirmationsRepository(db: Kysely<FormsTables>): ConfirmationsRepository {
  const find = (id: string) =>
    db
      .selectFrom('invitations')
      .select(['subscription_id', 'status', 'valid_until'])
      .where('id', '=', id)
      .where('kind', '=', 'confirmation')
      .executeTakeFirst();

  async function stateOf(id: string, now: Date): Promise<{ open: string } | 'used' | 'over' | 'unknown'> {
    const found = await find(id);
    if (!found) return 'unknown';
    if (found.status === 'confirmed') return 'used';
    return isGood(found, now) ? { open: found.subscription_id } : 'over';
  }

  return {
    async look(id, now) {
      const state = await stateOf(id, now);
      if (typeof state === 'string') return { status: state };
      const referral = await db
        .selectFrom('subscriptions')
        .select(['id', 'email', 'form_fields'])
        .where('id', '=', state.open)
        .executeTakeFirst();
      if (!referral) return { status: 'unknown' };
      const { message = '' } = JSON.parse(referral.form_fields) as { message?: string };
      return { status: 'open', ...(await divideRecipients(db, referral, now)), message };
    },

    async confirm(id, now) {
      const ended = await db.transaction().execute(async (transaction) => {
        const used = await spendLink(transaction, 'confirmation', id, now);
        if (!used) return null;
        const referral = await transaction
          .updateTable('subscriptions')
          .set({ confirmed_at: now })
          .where('id', '=', used.subscription_id)
          .where('confirmed_at', 'is', null)
          .returning(['id', 'email', 'form_fields'])
          .executeTakeFirst();
        const skipped = referral ? await leaveOut(transaction, referral, now) : [];
        const { numUpdatedRows: invited } = await transaction
          .updateTable('invitations')
          // Restarts the expiry: it counts from when the email may be sent, not from the form's submission.
          .set({ status: 'waiting', next_at: now, created_at: now })
          .where('subscription_id', '=', used.subscription_id)
          .where('status', '=', 'unconfirmed')
          .executeTakeFirst();
        return { skipped, invitesNobody: referral !== undefined && invited === 0n };
      });
      if (ended) return { status: 'confirmed', ...ended };
      const state = await stateOf(id, now);
      return { status: typeof state === 'string' ? state : 'over' };
    },

    askAgain: (subscriptionId, now, count) =>
      db.transaction().execute(async (transaction) => {
        // Of two concurrent repetitions, the second sees the first one's request.
        const referral = await transaction
          .selectFrom('subscriptions')
          .select(['id', 'email', 'confirmed_at'])
          .where('id', '=', subscriptionId)
          .forUpdate()
          .executeTakeFirst();
        if (!referral || referral.confirmed_at !== null) return;
        const asked = await transaction
          .selectFrom('invitations')
          .select(['status', 'valid_until'])
          .where('subscription_id', '=', subscriptionId)
          .where('kind', '=', 'confirmation')
          .execute();
        if (asked.length === 0 || asked.some((each) => each.status === 'waiting' || isGood(each, now)))
          return;
        await count(transaction);
        await transaction
          .insertInto('invitations')
          .values(confirmationFor('confirmation', referral, now))
          .execute();
      }),
  };
}

/** Ends the invitations skipped because of the sender's actions, and records them. */
async function leaveOut(transaction: Kysely<FormsTables>, referral: Referral, now: Date): Promise<Skipped[]> {
  const { skipped } = await divideRecipients(transaction, referral, now);
  if (skipped.length === 0) return skipped;
  await transaction
    .updateTable('subscriptions')
    .set({ skipped: JSON.stringify(skipped) })
    .where('id', '=', referral.id)
    .execute();
  await transaction
    .updateTable('invitations')
    .set({ status: 'skipped', finished_at: now })
    .where('subscription_id', '=', referral.id)
    .where('status', '=', 'unconfirmed')
    .where(
      'recipient',
      'in',
      skipped.map(({ email }) => email),
    )
    .execute();
  return skipped;
}

/**
 * Uses a confirmation link, atomically.
 * @returns the email; undefined if its link cannot be used.
 */
export function spendLink(
  transaction: Kysely<FormsTables>,
  kind: ConfirmationKind,
  id: string,
  now: Date,
): Promise<Pick<Selectable<InvitationTable>, 'subscription_id' | 'mailbox' | 'recipient'> | undefined> {
  return transaction
    .updateTable('invitations')
    .set({ status: 'confirmed', finished_at: now })
    .where('id', '=', id)
    .where('kind', '=', kind)
    .where('status', 'in', usable)
    .where('valid_until', '>', now)
    .returning(['subscription_id', 'mailbox', 'recipient'])
    .executeTakeFirst();
}

export function isGood(
  { status, valid_until }: Pick<Selectable<InvitationTable>, 'status' | 'valid_until'>,
  now: Date,
): boolean {
  return usable.includes(status) && valid_until !== null && valid_until > now;
}
