import type { FastifyBaseLogger } from 'fastify';
import { createTransport } from 'nodemailer';
import { invitationMail } from './invitation-mail.ts';
import type { MailConfig } from './invitation-mail.ts';
import type { InvitationRow, InvitationsRepository } from './invitations.repository.ts';
import { sendInvitations } from './send-invitations.ts';
import type { UnsubscribeLinks } from './unsubscribe-link.ts';

const EVERY = 5_000;
/** A mail server that is silent for so long is given up, until the next try. */
const PATIENCE = 10_000;

export interface InvitationsOptions {
  mail: MailConfig;
  invitations: InvitationsRepository;
  links: UnsubscribeLinks;
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
  site,
}: Pick<InvitationsOptions, 'mail' | 'links' | 'site'>): (invitation: InvitationRow) => Promise<void> {
  const transport = createTransport({
    url: mail.smtpUrl,
    connectionTimeout: PATIENCE,
    greetingTimeout: PATIENCE,
    socketTimeout: PATIENCE,
  });
  return async (invitation) => {
    const unsubscribeUrl = new URL(await links.pathFor(invitation.id), mail.publicUrl).href;
    await transport.sendMail(invitationMail(invitation, { from: mail.from, site, unsubscribeUrl }));
  };
}

/**
 * Looks at the outbox now and every few seconds, and sends what is due. Several instances may do so at once. Returns a
 * function that stops it, after the mail under way.
 */
export function startInvitations(options: InvitationsOptions): () => Promise<void> {
  const { invitations, log, now = Date.now, every = EVERY } = options;
  const send = createMailer(options);
  let stopped = false;
  let running: Promise<void> | null = null;
  const run = () => {
    running ??= sendInvitations({ invitations, send, now, log }, () => !stopped)
      .catch((error: unknown) => log.error({ err: error }, 'could not work on the outbox'))
      .finally(() => (running = null));
  };
  run();
  const timer = setInterval(run, every);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
