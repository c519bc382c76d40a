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
    const subject = `Please confirm your subscription to the newsletter of ${brand.name}`;
    return {
      ...commonOptions(email, { ...context, unsubscribeUrl }),
      subject,
      ...composeEmail(brand, subject, [
        {
          kind: 'text',
          text:
            `Somebody, we hope you, entered this address for the newsletter of ${site ?? 'our site'}. ` +
            'It is not on our list yet.',
        },
        {
          kind: 'action',
          text: `If it was you, confirm it within ${NEWSLETTER_WITHIN_HOURS} hours`,
          label: 'Confirm',
          url: await linkUrl('newsletter/confirm', email.id),
        },
        { kind: 'note', text: 'If it was not you, do nothing, and you will get no letters.' },
        {
          kind: 'note',
          text: 'To say no, or to end the newsletter whenever you like',
          label: 'unsubscribe',
          url: unsubscribeUrl,
        },
        { kind: 'note', text: 'If you want no mail from us at all', label: 'no more mail', url: noEmailUrl },
      ]),
    };
  },
});
