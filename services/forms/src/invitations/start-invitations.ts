import type { FastifyBaseLogger } from 'fastify';
import type { SendMailOptions } from 'nodemailer';
import type { FindBrand } from '../brand/find-brand.ts';
import { keepLooking } from '../keep-looking.ts';
import type { ReaderIdOf } from '../newsletter/reader-ids.ts';
import { confirmationMail, invitationMail, newsletterMail, type MailConfig } from './invitation-mail.ts';
import type { InvitationRow, InvitationsRepository } from './invitations.repository.ts';
import type { MailLink, MailLinks } from './mail-links.ts';
import { openTransport } from './open-transport.ts';
import { sendInvitations } from './send-invitations.ts';

const EVERY_MS = 5_000;

export interface InvitationsOptions {
  mail: MailConfig;
  findBrand: FindBrand;
  invitations: InvitationsRepository;
  links: MailLinks;
  readerIdOf: ReaderIdOf;
  /** The public URL of this service with a trailing slash, for links in emails. */
  publicUrl: string;
  /** The site that emails link to. */
  site: string | null;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  now?: () => number;
  /** The interval in milliseconds. */
  every?: number;
}

export function createMailer({
  mail,
  findBrand,
  invitations,
  links,
  readerIdOf,
  publicUrl,
  site,
}: Omit<InvitationsOptions, 'log' | 'now' | 'every'>): (invitation: InvitationRow) => Promise<void> {
  const transport = openTransport(mail.smtpUrl);
  const urlOf = async (link: MailLink, id: string) => new URL(await links.pathFor(link, id), publicUrl).href;
  async function mailOf(invitation: InvitationRow): Promise<SendMailOptions> {
    const { id, kind, recipient } = invitation;
    const noMailUrl = await urlOf('unsubscribe', id);
    const context = { brand: await findBrand(), from: mail.from, site, unsubscribeUrl: noMailUrl };
    switch (kind) {
      case 'invitation':
        return invitationMail(invitation, context);
      case 'confirmation':
        return confirmationMail(invitation, { ...context, confirmUrl: await urlOf('confirm', id) });
      case 'newsletter': {
        const reader = await readerIdOf(recipient);
        // Before the link can be used: it also ends this confirmation.
        await invitations.noteReader(id, reader);
        return newsletterMail(invitation, {
          ...context,
          confirmUrl: await urlOf('newsletter/confirm', id),
          unsubscribeUrl: await urlOf('newsletter/unsubscribe', reader),
          noMailUrl,
        });
      }
    }
  }
  return async (invitation) => {
    await transport.sendMail(await mailOf(invitation));
  };
}

/**
 * Sends due emails now and every few seconds. Several instances may run concurrently. Returns a function that
 * stops it after the current email.
 */
export function startInvitations(options: InvitationsOptions): () => Promise<void> {
  const { invitations, log, now = Date.now, every = EVERY_MS } = options;
  const send = createMailer(options);
  return keepLooking({
    look: (goOn) => sendInvitations({ invitations, send, now, log }, goOn),
    what: 'the outbox',
    every,
    log,
  });
}
