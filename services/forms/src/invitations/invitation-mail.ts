import type { SendMailOptions } from 'nodemailer';
import type { InvitationRow } from './invitations.repository.ts';

/** What the mails of a referral say of us. */
export interface MailConfig {
  /** `smtp://user:password@host:587` or `smtps://…`. */
  smtpUrl: string;
  /** The sender of all mails: `Blocks <hello@blocks.example>`. */
  from: string;
  /** Where the forms service answers the internet, with a slash at the end: the unsubscribe links lead there. */
  publicUrl: string;
}

/** The one mail that a referral sends to one recipient. It comes from us; an answer to it goes to whoever referred them. */
export function invitationMail(
  { id, recipient, sender, message }: InvitationRow,
  { from, site, unsubscribeUrl }: { from: string; site: string | null; unsubscribeUrl: string },
): SendMailOptions {
  const quoted = message === '' ? [] : ['They write:', message.replace(/\r\n?/g, '\n').replace(/^/gm, '> ')];
  return {
    from,
    to: { name: '', address: recipient },
    replyTo: { name: '', address: sender },
    subject: `${sender} thought of you`,
    // The same whenever it is tried again, so that a mail program can tell a copy.
    messageId: `<${id}@${domainOf(from)}>`,
    headers: {
      'List-Unsubscribe': `<${unsubscribeUrl}>`,
      'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
      'Auto-Submitted': 'auto-generated',
    },
    text: [
      `${sender} asked us to send you this invitation.`,
      ...quoted,
      ...(site === null ? [] : [`Have a look: ${site}/home`]),
      `You get this mail once. If you want no mail from us, whoever refers you: ${unsubscribeUrl}`,
    ].join('\n\n'),
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

function domainOf(from: string): string {
  return /@([A-Za-z\d.-]+)/.exec(from)?.[1] ?? 'localhost';
}
