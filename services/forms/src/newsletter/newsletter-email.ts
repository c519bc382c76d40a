import { NEWSLETTER_WITHIN_HOURS } from '@site/contract';
import { HOUR_MS } from '@site/server/durations';
import type { Kysely } from 'kysely';
import type { FormsTables } from '../kernel/tables.ts';
import { composeEmail, commonOptions } from '../outbox/compose-email.ts';
import type { EmailKind } from '../outbox/outbox.repository.ts';
import { isSubscribed, type CreateSubscriberId } from './subscribers.repository.ts';

/**
 * Requests the confirmation of the newsletter from an address's owner. Anyone can trigger it for any address a few
 * times a day. Its unsubscribe link never expires: it declines the request or ends the newsletter until the next
 * subscription.
 */
export const createNewsletterKind = (
  db: Kysely<FormsTables>,
  createSubscriberId: CreateSubscriberId,
): EmailKind => ({
  linkValidMs: NEWSLETTER_WITHIN_HOURS * HOUR_MS,
  isObsolete: ({ mailbox }, _now, transaction) => isSubscribed(mailbox, transaction),
  async compose(email, context) {
    const { brand, site, linkUrl, unsubscribeUrl: noEmailUrl } = context;
    const subscriber = await createSubscriberId(email.recipient);
    // Before the link can be used: it also ends this confirmation.
    await db.updateTable('emails').set({ subscriber_id: subscriber }).where('id', '=', email.id).execute();
    const unsubscribeUrl = await linkUrl('newsletter/unsubscribe', subscriber);
    const subject = `Confirm your subscription to the ${brand.name} newsletter`;
    return {
      ...commonOptions(email, { ...context, unsubscribeUrl }),
      subject,
      ...composeEmail(brand, subject, [
        {
          kind: 'text',
          text:
            `Did you just sign up for our newsletter at ${site ?? 'our site'}? Please confirm it. ` +
            "You're not subscribed yet.",
        },
        {
          kind: 'action',
          text: `This link works for ${NEWSLETTER_WITHIN_HOURS} hours`,
          label: 'Confirm subscription',
          url: await linkUrl('newsletter/confirm', email.id),
        },
        { kind: 'note', text: "Wasn't you? Ignore this email and you won't be subscribed." },
        {
          kind: 'note',
          text: 'You can unsubscribe at any time',
          label: 'unsubscribe',
          url: unsubscribeUrl,
        },
        { kind: 'note', text: 'To stop all email from us', label: 'stop all email', url: noEmailUrl },
      ]),
    };
  },
});
