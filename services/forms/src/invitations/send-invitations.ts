import { backoff, MAX_RETRIES } from '@site/contract/http';
import type { FastifyBaseLogger } from 'fastify';
import { MINUTE_MS } from '@site/server/durations';
import { isFinal, reasonOf } from '../mails/mail-error.ts';
import type { InvitationRow, InvitationsRepository } from './invitations.repository.ts';

/** After this time an attempt counts as crashed. Longer than a mail server's timeout. */
const LEASE_MS = 5 * MINUTE_MS;

/** Delay before the first retry; the last one is 17 hours after the first attempt. */
export const FIRST_DELAY_MS = MINUTE_MS;

export interface SendInvitationsDependencies {
  invitations: InvitationsRepository;
  /** Sends one email; rejects if it was not accepted. */
  send: (invitation: InvitationRow) => Promise<void>;
  now: () => number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/**
 * Sends all due emails in sequence; `goOn` returning false stops after the current one. An email whose
 * process crashed after the server accepted it is sent again: at-least-once delivery.
 */
export async function sendInvitations(
  { invitations, send, now, log }: SendInvitationsDependencies,
  goOn: () => boolean = () => true,
): Promise<void> {
  await invitations.tidy(new Date(now()));
  while (goOn()) {
    const claimed = await invitations.claim(new Date(now()), new Date(now() + LEASE_MS));
    if (!claimed) return;
    const { id, attempts } = claimed;
    try {
      await send(claimed);
    } catch (error) {
      const reason = reasonOf(error);
      const final = isFinal(error) || attempts > MAX_RETRIES;
      log.warn({ invitation: id, attempts, reason, final }, 'could not send an invitation');
      await invitations.finish(
        id,
        final
          ? { status: 'failed', error: reason }
          : { status: 'waiting', error: reason, nextAt: new Date(now() + backoff(attempts, FIRST_DELAY_MS)) },
        new Date(now()),
      );
      continue;
    }
    // Outside the `try`: the email was sent even if only this write fails.
    await invitations.finish(id, { status: 'sent' }, new Date(now()));
    log.info({ invitation: id, attempts }, 'sent an invitation');
  }
}
