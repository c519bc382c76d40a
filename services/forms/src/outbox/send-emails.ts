import { backoff, MAX_RETRIES } from '@site/contract/http';
import { MINUTE_MS } from '@site/server/durations';
import type { FastifyBaseLogger } from 'fastify';
import type { FindBrand } from '../kernel/brand.ts';
import { startPoller } from '../kernel/poller.ts';
import type { EmailLink, EmailLinks } from './email-links.ts';
import type { EmailKinds, EmailRow, Outbox } from './outbox.repository.ts';
import { errorCodes, isPermanent, openTransport, type MailConfig } from './transport.ts';

const INTERVAL_MS = 5_000;

/** After this time an attempt counts as crashed. Longer than a mail server's timeout. */
const LEASE_MS = 5 * MINUTE_MS;

/** Delay before the first retry; the last one is 17 hours after the first attempt. */
export const FIRST_DELAY_MS = MINUTE_MS;

export interface MailerOptions {
  mail: MailConfig;
  findBrand: FindBrand;
  kinds: EmailKinds;
  links: EmailLinks;
  publicUrl: string;
  site: string | null;
}

type SendEmail = (email: EmailRow) => Promise<void>;

export function createMailer({ mail, findBrand, kinds, links, publicUrl, site }: MailerOptions): SendEmail {
  const transport = openTransport(mail.smtpUrl);
  const linkUrl = async (link: EmailLink, id: string) =>
    new URL(await links.createPath(link, id), publicUrl).href;
  return async (email) => {
    const unsubscribeUrl = await linkUrl('unsubscribe', email.id);
    const context = { brand: await findBrand(), from: mail.from, site, unsubscribeUrl, linkUrl };
    await transport.sendMail(await kinds[email.kind].compose(email, context));
  };
}

/**
 * Sends all due emails in sequence; `shouldContinue` returning false stops after the current one. An email whose
 * process crashed after the server accepted it is sent again: at-least-once delivery.
 */
export async function sendEmails(
  {
    outbox,
    send,
    now,
    log,
  }: { outbox: Outbox; send: SendEmail; now: () => number; log: Pick<FastifyBaseLogger, 'info' | 'warn'> },
  shouldContinue: () => boolean = () => true,
): Promise<void> {
  await outbox.dropUnsubscribed(new Date(now()));
  while (shouldContinue()) {
    const email = await outbox.claim(new Date(now()), new Date(now() + LEASE_MS));
    if (!email) return;
    const { id, kind, attempts } = email;
    try {
      await send(email);
    } catch (error) {
      const reason = errorCodes(error);
      const final = isPermanent(error) || attempts > MAX_RETRIES;
      log.warn({ email: id, kind, attempts, reason, final }, 'could not send an email');
      await outbox.finish(
        email,
        final
          ? { status: 'failed', error: reason }
          : { status: 'waiting', error: reason, nextAt: new Date(now() + backoff(attempts, FIRST_DELAY_MS)) },
        new Date(now()),
      );
      continue;
    }
    // Outside the `try`: the email was sent even if only this write fails.
    await outbox.finish(email, { status: 'sent' }, new Date(now()));
    log.info({ email: id, kind, attempts }, 'sent an email');
  }
}

/**
 * Sends due emails now and every few seconds; instances may run concurrently.
 * @returns stops after the current email.
 */
export function startOutbox({
  outbox,
  log,
  now = Date.now,
  every = INTERVAL_MS,
  ...mailer
}: MailerOptions & {
  outbox: Outbox;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  now?: () => number;
  every?: number;
}): () => Promise<void> {
  const send = createMailer(mailer);
  return startPoller({
    run: (shouldContinue) => sendEmails({ outbox, send, now, log }, shouldContinue),
    subject: 'the outbox',
    every,
    log,
  });
}
