import { CONFIRM_WITHIN_HOURS, REFERRAL_PARAMETER } from '@site/contract';
import { HOUR_MS } from '@site/server/durations';
import { composeEmail, commonOptions } from '../outbox/compose-email.ts';
import type { EmailKind } from '../outbox/outbox.repository.ts';
import { INVITATION_PAUSE_MS } from './recipients.ts';

/**
 * The invitation to one recipient of a confirmed referral. We are the sender; replies go to the referrer. The
 * referrer's words are marked as such and contain no links, because the form rejects them. Our link names the
 * referral, so that the referrer can be rewarded.
 */
export const invitation: EmailKind = {
  linkValidMs: null,
  async isObsolete({ id, mailbox }, now, transaction) {
    const earlier = await transaction
      .selectFrom('invited')
      .select('invitation_id')
      .where('email', '=', mailbox)
      .where('invitation_id', '<>', id)
      .where('invited_at', '>', new Date(now.getTime() - INVITATION_PAUSE_MS))
      .limit(1)
      .executeTakeFirst();
    return earlier !== undefined;
  },
  async onClaim({ id, mailbox }, now, transaction) {
    await transaction
      .insertInto('invited')
      .values({ invitation_id: id, email: mailbox, invited_at: now })
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  },
  // An undelivered invitation does not block the next one.
  async onFailure(id, transaction) {
    await transaction.deleteFrom('invited').where('invitation_id', '=', id).execute();
  },
  compose(email, context) {
    const { subscription_id: referral, sender, message } = email;
    const { brand, site, unsubscribeUrl } = context;
    const subject = `${sender} invited you to try ${brand.name}`;
    return {
      ...commonOptions(email, context),
      // The referrer has confirmed this address.
      replyTo: { name: '', address: sender },
      subject,
      ...composeEmail(brand, subject, [
        { kind: 'text', text: `${sender} asked us to send you this invitation to ${brand.name}.` },
        ...(message === '' ? [] : [{ kind: 'quote', by: sender, text: message } as const]),
        ...(site === null
          ? []
          : [
              {
                kind: 'action',
                text: 'Take a look',
                label: `Explore ${brand.name}`,
                url: `${site}/home?${REFERRAL_PARAMETER}=${referral}`,
              } as const,
            ]),
        {
          kind: 'note',
          text:
            "You'll get at most one invitation a year, no matter who refers you. " +
            'To stop all email from us',
          label: 'stop all email',
          url: unsubscribeUrl,
        },
      ]),
    };
  },
};

/**
 * Requests the confirmation of a referral from an address's owner. Anyone can trigger it for any address a few times a
 * day, so it contains no user input, and replies go to us.
 */
export const confirmation: EmailKind = {
  linkValidMs: CONFIRM_WITHIN_HOURS * HOUR_MS,
  isObsolete: () => Promise.resolve(false),
  async compose(email, context) {
    const { brand, site, linkUrl, unsubscribeUrl } = context;
    const subject = `Confirm your referral to ${brand.name}`;
    return {
      ...commonOptions(email, context),
      subject,
      ...composeEmail(brand, subject, [
        {
          kind: 'text',
          text:
            `Did you just refer someone to ${brand.name} at ${site ?? 'our site'}? Please confirm it. ` +
            'No invitations have gone out yet.',
        },
        {
          kind: 'action',
          text: `This link works for ${CONFIRM_WITHIN_HOURS} hours`,
          label: 'Review and send',
          url: await linkUrl('confirm', email.id),
        },
        { kind: 'note', text: "Wasn't you? Ignore this email and no invitations will go out." },
        {
          kind: 'note',
          text: 'To stop all email from us',
          label: 'stop all email',
          url: unsubscribeUrl,
        },
      ]),
    };
  },
};
