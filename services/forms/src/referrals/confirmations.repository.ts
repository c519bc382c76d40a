import type { Kysely } from 'kysely';
import type { CountReferral } from '../kernel/post-limits.ts';
import type { FormsTables } from '../kernel/tables.ts';
import { isLinkValid, newConfirmation, redeemLink } from '../outbox/outbox.repository.ts';
import { divideRecipients, type Referral, type Skipped } from './recipients.ts';

type EndedLink = { status: 'used' | 'expired' | 'unknown' };

export type LinkState =
  EndedLink | { status: 'open'; recipients: string[]; skipped: Skipped[]; message: string };

export type Confirmed = EndedLink | { status: 'confirmed'; skipped: Skipped[]; hasNoRecipients: boolean };

export interface ConfirmationsRepository {
  readLink(id: string, now: Date): Promise<LinkState>;
  confirm(id: string, now: Date): Promise<Confirmed>;
  /**
   * Requests the confirmation of a repeated referral again, unless it is confirmed or a link is valid. `count` counts
   * it as another referral.
   */
  requestAgain(subscriptionId: string, now: Date, count: CountReferral): Promise<void>;
}

export function createConfirmationsRepository(db: Kysely<FormsTables>): ConfirmationsRepository {
  async function find(id: string, now: Date): Promise<EndedLink | { status: 'open'; referral: string }> {
    const found = await db
      .selectFrom('emails')
      .select(['subscription_id', 'status', 'valid_until'])
      .where('id', '=', id)
      .where('kind', '=', 'confirmation')
      .executeTakeFirst();
    if (!found) return { status: 'unknown' };
    if (found.status === 'confirmed') return { status: 'used' };
    return isLinkValid(found, now)
      ? { status: 'open', referral: found.subscription_id }
      : { status: 'expired' };
  }

  return {
    async readLink(id, now) {
      const state = await find(id, now);
      if (state.status !== 'open') return state;
      const referral = await db
        .selectFrom('subscriptions')
        .select(['id', 'email', 'form_fields'])
        .where('id', '=', state.referral)
        .executeTakeFirst();
      if (!referral) return { status: 'unknown' };
      const { message = '' } = JSON.parse(referral.form_fields) as { message?: string };
      return { status: 'open', ...(await divideRecipients(db, referral, now)), message };
    },

    async confirm(id, now) {
      const confirmed = await db.transaction().execute(async (transaction) => {
        const redeemed = await redeemLink(transaction, 'confirmation', id, now);
        if (!redeemed) return null;
        const referral = await transaction
          .updateTable('subscriptions')
          .set({ confirmed_at: now })
          .where('id', '=', redeemed.subscription_id)
          .where('confirmed_at', 'is', null)
          .returning(['id', 'email', 'form_fields'])
          .executeTakeFirst();
        const skipped = referral ? await skipRecipients(transaction, referral, now) : [];
        const { numUpdatedRows: invited } = await transaction
          .updateTable('emails')
          // Restarts the expiry: it counts from when the email may be sent, not from the form's submission.
          .set({ status: 'waiting', next_at: now, created_at: now })
          .where('subscription_id', '=', redeemed.subscription_id)
          .where('status', '=', 'unconfirmed')
          .executeTakeFirst();
        return { skipped, hasNoRecipients: referral !== undefined && invited === 0n };
      });
      if (confirmed) return { status: 'confirmed', ...confirmed };
      const state = await find(id, now);
      return state.status === 'open' ? { status: 'expired' } : state;
    },

    requestAgain: (subscriptionId, now, count) =>
      db.transaction().execute(async (transaction) => {
        // Of two concurrent repetitions, the second sees the first one's request.
        const referral = await transaction
          .selectFrom('subscriptions')
          .select(['id', 'email', 'confirmed_at'])
          .where('id', '=', subscriptionId)
          .forUpdate()
          .executeTakeFirst();
        if (!referral || referral.confirmed_at !== null) return;
        const requests = await transaction
          .selectFrom('emails')
          .select(['status', 'valid_until'])
          .where('subscription_id', '=', subscriptionId)
          .where('kind', '=', 'confirmation')
          .execute();
        if (
          requests.length === 0 ||
          requests.some((each) => each.status === 'waiting' || isLinkValid(each, now))
        )
          return;
        await count(transaction);
        await transaction
          .insertInto('emails')
          .values(newConfirmation('confirmation', referral, now))
          .execute();
      }),
  };
}

async function skipRecipients(
  transaction: Kysely<FormsTables>,
  referral: Referral,
  now: Date,
): Promise<Skipped[]> {
  const { skipped } = await divideRecipients(transaction, referral, now);
  if (skipped.length === 0) return skipped;
  await transaction
    .updateTable('subscriptions')
    .set({ skipped: JSON.stringify(skipped) })
    .where('id', '=', referral.id)
    .execute();
  await transaction
    .updateTable('emails')
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
