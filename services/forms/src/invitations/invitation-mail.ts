import {
  CONFIRM_WITHIN_HOURS,
  NEWSLETTER_WITHIN_HOURS,
  REFERRAL_PARAMETER,
  type Brand,
} from '@site/contract';
import type { SendMailOptions } from 'nodemailer';
import { senderOf } from '../brand/find-brand.ts';
import { composeMail } from '../mails/compose-mail.ts';
import type { InvitationRow } from './invitations.repository.ts';

export interface MailConfig {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  smtpUrl: string;
  /** The sender of all emails: `Blocks <hello@blocks.example>`. Its name is used only without a brand. */
  from: string;
}

/** Link targets of our emails. */
export interface MailContext {
  brand: Brand;
  from: string;
  site: string | null;
  unsubscribeUrl: string;
}

/**
 * The invitation to one recipient of a confirmed referral. We are the sender; replies go to the referrer. The
 * referrer's words are marked as such and contain no links, because the form rejects them. Our link names the
 * referral, so that the referrer can be rewarded.
 */
export function invitationMail(invitation: InvitationRow, context: MailContext): SendMailOptions {
  const { id, subscription_id: referral, recipient, sender, message } = invitation;
  const { brand, site, unsubscribeUrl } = context;
  const subject = `${sender} thought of you`;
  return {
    ...common(id, recipient, context),
    // The referrer has confirmed this address.
    replyTo: { name: '', address: sender },
    subject,
    ...composeMail(brand, subject, [
      { kind: 'text', text: `${sender} asked us to send you this invitation to ${brand.name}.` },
      ...(message === '' ? [] : [{ kind: 'quote', by: sender, text: message } as const]),
      ...(site === null
        ? []
        : [
            {
              kind: 'action',
              text: 'Have a look',
              label: `See what ${brand.name} is`,
              url: `${site}/home?${REFERRAL_PARAMETER}=${referral}`,
            } as const,
          ]),
      {
        kind: 'note',
        text: 'You get one mail like this a year at most, no matter who refers you. If you want no mail from us at all',
        label: 'no more mail',
        url: unsubscribeUrl,
      },
    ]),
  };
}

/**
 * Asks an address's owner to confirm a referral. Anyone can trigger it for any address a few times a day, so
 * it contains no user input, and replies go to us.
 */
export function confirmationMail(
  { id, recipient }: InvitationRow,
  { confirmUrl, ...context }: MailContext & { confirmUrl: string },
): SendMailOptions {
  const where = context.site ?? 'our site';
  const subject = `Please confirm your referral to ${context.brand.name}`;
  return {
    ...common(id, recipient, context),
    subject,
    ...composeMail(context.brand, subject, [
      {
        kind: 'text',
        text: `Somebody, we hope you, filled in the referral form of ${where} with this address. Nobody has been invited yet.`,
      },
      {
        kind: 'action',
        text: `If it was you, look at it once more and confirm it within ${CONFIRM_WITHIN_HOURS} hours`,
        label: 'Look at it',
        url: confirmUrl,
      },
      { kind: 'note', text: 'If it was not you, do nothing, and no invitation is sent.' },
      {
        kind: 'note',
        text: 'If you want no mail from us at all',
        label: 'no more mail',
        url: context.unsubscribeUrl,
      },
    ]),
  };
}

/**
 * Asks an address's owner to confirm the newsletter. Anyone can trigger it for any address a few times a day.
 * Its unsubscribe link never expires: it declines the request or ends the newsletter until the next
 * subscription.
 */
export function newsletterMail(
  { id, recipient }: InvitationRow,
  { confirmUrl, noMailUrl, ...context }: MailContext & { confirmUrl: string; noMailUrl: string },
): SendMailOptions {
  const where = context.site ?? 'our site';
  const subject = `Please confirm your subscription to the newsletter of ${context.brand.name}`;
  return {
    ...common(id, recipient, context),
    subject,
    ...composeMail(context.brand, subject, [
      {
        kind: 'text',
        text: `Somebody, we hope you, entered this address for the newsletter of ${where}. It is not on our list yet.`,
      },
      {
        kind: 'action',
        text: `If it was you, confirm it within ${NEWSLETTER_WITHIN_HOURS} hours`,
        label: 'Confirm',
        url: confirmUrl,
      },
      { kind: 'note', text: 'If it was not you, do nothing, and you will get no letters.' },
      {
        kind: 'note',
        text: 'To say no, or to end the newsletter whenever you like',
        label: 'unsubscribe',
        url: context.unsubscribeUrl,
      },
      { kind: 'note', text: 'If you want no mail from us at all', label: 'no more mail', url: noMailUrl },
    ]),
  };
}

function common(
  id: string,
  recipient: string,
  { brand, from, unsubscribeUrl }: MailContext,
): SendMailOptions {
  return {
    from: senderOf(brand, from),
    to: { name: '', address: recipient },
    // Stable across retries, so that mail programs detect duplicates.
    messageId: `<${id}@${domainOfSender(from)}>`,
    headers: {
      // RFC 8058: one-click unsubscribe.
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
  };
}

function domainOfSender(from: string): string {
  return /@([A-Za-z\d.-]+)/.exec(from)?.[1] ?? 'localhost';
}
