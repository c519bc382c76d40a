import type { SendMailOptions } from 'nodemailer';
import type { InvitationRow } from './invitations.repository.ts';

/** How mails are sent, and in whose name. */
export interface MailConfig {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  smtpUrl: string;
  /** The sender of all mails: `Blocks <hello@blocks.example>`. */
  from: string;
}

/** What a mail of ours leads to. */
export interface MailContext {
  from: string;
  site: string | null;
  unsubscribeUrl: string;
}

/**
 * The one mail that a confirmed referral sends to one recipient. It comes from us; an answer to it goes to whoever
 * referred them. All that is not ours stands behind “>”, and holds no link: the form refuses them.
 */
export function invitationMail(
  { id, recipient, sender, message }: InvitationRow,
  context: MailContext,
): SendMailOptions {
  const quoted =
    message === '' ? [] : [`The lines behind ">" are the words of ${sender}, not ours:`, quote(message)];
  return {
    ...common(id, recipient, context),
    // They have shown that this address is theirs.
    replyTo: { name: '', address: sender },
    subject: `${sender} thought of you`,
    text: [
      `${sender} asked us to send you this invitation.`,
      ...quoted,
      ...(context.site === null ? [] : [`Have a look: ${context.site}/home`]),
      `You get this mail once. If you want no mail from us, no matter who refers you: ${context.unsubscribeUrl}`,
    ].join('\n\n'),
  };
}

/**
 * Asks whoever an address belongs to whether they sent a referral. Anyone can have it sent to anyone, a few times a day:
 * so nothing in it was typed by whoever filled in the form, and an answer to it comes to us.
 */
export function confirmationMail(
  { id, recipient }: InvitationRow,
  { confirmUrl, ...context }: MailContext & { confirmUrl: string },
): SendMailOptions {
  const where = context.site === null ? 'our site' : context.site;
  return {
    ...common(id, recipient, context),
    subject: 'Please confirm your referral',
    text: [
      `Somebody, we hope you, filled in the referral form of ${where} with this address. Nobody has been invited yet.`,
      `If it was you, look at it once more and confirm it within 24 hours: ${confirmUrl}`,
      'If it was not you, do nothing: then no invitation goes out.',
      `If you want no mail from us at all: ${context.unsubscribeUrl}`,
    ].join('\n\n'),
  };
}

function common(id: string, recipient: string, { from, unsubscribeUrl }: MailContext): SendMailOptions {
  return {
    from,
    to: { name: '', address: recipient },
    // The same whenever it is tried again, so that a mail program can tell a copy.
    messageId: `<${id}@${domainOfSender(from)}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

/** Each line marked, whatever a mail program takes for a line's end; and nothing in it that turns the text around. */
function quote(message: string): string {
  return message
    .replace(/[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g, '')
    .replace(/\r\n?|[\u2028\u2029]/g, '\n')
    .replace(/^/gm, '> ');
}

function domainOfSender(from: string): string {
  return /@([A-Za-z\d.-]+)/.exec(from)?.[1] ?? 'localhost';
}
