import type { Kysely, Selectable } from 'kysely';
import { DAY_MS } from '@site/server/durations';
import type { Counter, Counters } from '../kernel/counters.ts';
import { emailDomain, toMailbox } from '../kernel/mailbox.ts';
import type { EmailTable, FormsTables } from '../kernel/tables.ts';

export interface EmailLimitsConfig {
  confirmationsPerSender: number;
  invitationsPerSender: number;
  mailsPerDomain: number;
  mailsPerDay: number;
}

export type EmailDecision =
  { go: true } | { go: false; drop: true } | { go: false; drop: false; again: Date };

export interface EmailLimits {
  /**
   * Await before the transaction of `decide` or `forget`: inside it, an embedded database cannot serve other
   * queries.
   */
  prepare(): Promise<void>;
  /**
   * Decides whether an email may be sent now, and counts it if so. Must be serialized by the caller's lock.
   */
  decide(mail: Selectable<EmailTable>, now: Date, transaction: Kysely<FormsTables>): Promise<EmailDecision>;
  /** Deletes the counters of these mailboxes: with the key, they would prove that the mailboxes were here. */
  forget(mailboxes: string[], transaction: Kysely<FormsTables>): Promise<void>;
}

/** A mailbox that wants no mail gets a link to confirm the newsletter at most once in this time. */
export const OPT_OUT_PAUSE_DAYS = 30;

const daily = (name: string, subject: string): Counter => ({ name, subject, periodMs: DAY_MS });
const confirmationsTo = (mailbox: string) => daily('confirmations', mailbox);
const newsletterTo = (mailbox: string) => daily('newsletter', mailbox);
/** The way back of a mailbox that wants no mail. */
const newsletterAfterOptOut = (mailbox: string): Counter => ({
  name: 'newsletter after opt-out',
  subject: mailbox,
  periodMs: OPT_OUT_PAUSE_DAYS * DAY_MS,
});
const invitationsBy = (mailbox: string) => daily('invitations', mailbox);

export function createEmailLimits(config: EmailLimitsConfig, counters: Counters): EmailLimits {
  return {
    prepare: () => counters.prepare(),
    decide,
    forget: (mailboxes, transaction) =>
      counters.forget(
        mailboxes.flatMap((mailbox) => [
          confirmationsTo(mailbox),
          newsletterTo(mailbox),
          newsletterAfterOptOut(mailbox),
          invitationsBy(mailbox),
        ]),
        transaction,
      ),
  };

  async function decide(
    { kind, mailbox, sender }: Selectable<EmailTable>,
    now: Date,
    transaction: Kysely<FormsTables>,
  ): Promise<EmailDecision> {
    const maxConfirmations = config.confirmationsPerSender;
    const byKind = {
      confirmation: { counter: confirmationsTo(mailbox), max: maxConfirmations, drop: true },
      newsletter: { counter: newsletterTo(mailbox), max: maxConfirmations, drop: true },
      invitation: {
        counter: invitationsBy(toMailbox(sender)),
        max: config.invitationsPerSender,
        drop: false,
      },
    };
    const isOptedOut =
      kind === 'newsletter' &&
      (await transaction
        .selectFrom('unsubscribed')
        .select('email')
        .where('email', '=', mailbox)
        .executeTakeFirst()) !== undefined;
    const limits = [
      isOptedOut ? { counter: newsletterAfterOptOut(mailbox), max: 1, drop: true } : byKind[kind],
      { counter: daily('mails to', emailDomain(mailbox)), max: config.mailsPerDomain, drop: false },
      { counter: daily('mails', ''), max: config.mailsPerDay, drop: false },
    ].filter(({ max }) => max > 0);
    for (const { counter, max, drop } of limits) {
      const { count, endsAt } = await counters.read(counter, now, transaction);
      if (count >= max) return drop ? { go: false, drop } : { go: false, drop, again: endsAt };
    }
    for (const { counter } of limits) await counters.add(counter, now, 1, transaction);
    return { go: true };
  }
}
