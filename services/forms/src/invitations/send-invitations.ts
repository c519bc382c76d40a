import { backoff, MAX_RETRIES } from '@site/contract/backoff';
import type { FastifyBaseLogger } from 'fastify';
import { MINUTE_MS } from '@site/server/durations';
import { isFinal, reasonOf } from '../mails/mail-error.ts';
import type { InvitationRow, InvitationsRepository } from './invitations.repository.ts';

/** A try that has not ended by then was cut off, with its process. Longer than a mail server may take to answer. */
const LEASE_MS = 5 * MINUTE_MS;

/** Before the first retry; the last one is 17 hours after the first try. */
export const FIRST_DELAY_MS = MINUTE_MS;

export interface SendInvitationsDependencies {
  invitations: InvitationsRepository;
  /** Hands one mail over; rejects when it was not taken. */
  send: (invitation: InvitationRow) => Promise<void>;
  now: () => number;
  log: Pick<FastifyBaseLogger, 'info' | 'warn'>;
}

/**
 * Sends every invitation that is due, one after the other; `goOn` false ends it after the one under way. A mail whose
 * sending was cut off after it was taken goes out once more: rather twice than never.
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
    // Outside the `try`: if only this write fails, the mail has gone out all the same, and must not count as failed.
    await invitations.finish(id, { status: 'sent' }, new Date(now()));
    log.info({ invitation: id, attempts }, 'sent an invitation');
  }
}
