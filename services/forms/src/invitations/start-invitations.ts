import type { FastifyBaseLogger } from 'fastify';
import { keepLooking } from '../keep-looking.ts';
import { confirmationMail, invitationMail, type MailConfig } from './invitation-mail.ts';
import type { InvitationRow, InvitationsRepository } from './invitations.repository.ts';
import type { MailLink, MailLinks } from './mail-links.ts';
import { openTransport } from './open-transport.ts';
import { sendInvitations } from './send-invitations.ts';

const EVERY = 5_000;

export interface InvitationsOptions {
  mail: MailConfig;
  invitations: InvitationsRepository;
  links: MailLinks;
  /** Where the forms service answers the internet, with a slash at the end: the links in mails lead there. */
  publicUrl: string;
  /** Where the mails lead. */
  site: string | null;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  now?: () => number;
  /** Milliseconds between two looks at the outbox. */
  every?: number;
}

/** Hands mails over to the SMTP server. */
export function createMailer({
  mail,
  links,
  publicUrl,
  site,
}: Pick<InvitationsOptions, 'mail' | 'links' | 'publicUrl' | 'site'>): (
  invitation: InvitationRow,
) => Promise<void> {
  const transport = openTransport(mail.smtpUrl);
  const urlOf = async (link: MailLink, id: string) => new URL(await links.pathFor(link, id), publicUrl).href;
  return async (invitation) => {
    const context = { from: mail.from, site, unsubscribeUrl: await urlOf('unsubscribe', invitation.id) };
    await transport.sendMail(
      invitation.kind === 'confirmation'
        ? confirmationMail(invitation, { ...context, confirmUrl: await urlOf('confirm', invitation.id) })
        : invitationMail(invitation, context),
    );
  };
}

/**
 * Looks at the outbox now and every few seconds, and sends what is due. Several instances may do so at once. Returns a
 * function that stops it, after the mail under way.
 */
export function startInvitations(options: InvitationsOptions): () => Promise<void> {
  const { invitations, log, now = Date.now, every = EVERY } = options;
  const send = createMailer(options);
  return keepLooking({
    look: (goOn) => sendInvitations({ invitations, send, now, log }, goOn),
    what: 'the outbox',
    every,
    log,
  });
}
