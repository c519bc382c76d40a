import type { Kysely, Selectable } from 'kysely';
import type { FormsTables, InvitationTable } from '../tables.ts';
import { DAY_MS } from '@site/server/durations';
import type { Counted, Counts, TimedCount } from './counts.ts';
import { domainOf, mailboxOf } from './mailbox.ts';

/** Daily limits of emails. 0: no limit. */
export interface MailLimitsConfig {
  /** Confirmation emails to one mailbox for referrals, and as many for the newsletter. */
  confirmationsPerSender: number;
  /** Invitations by one sender's mailbox. */
  invitationsPerSender: number;
  /** Emails of any kind to one domain. */
  mailsPerDomain: number;
  /** Emails of any kind in total. */
  mailsPerDay: number;
}

export type MailDecision = { go: true } | { go: false; drop: true } | { go: false; drop: false; again: Date };

export interface MailLimits {
  /**
   * Await before the transaction of `decide` or `forget`: inside it, an embedded database cannot serve other
   * queries.
   */
  prepare(): Promise<void>;
  /**
   * Decides whether an email may be sent now, and counts it if so. Must be serialized by the caller's lock.
   */
  decide(
    mail: Selectable<InvitationTable>,
    now: Date,
    transaction: Kysely<FormsTables>,
  ): Promise<MailDecision>;
  /** Deletes the counters of these mailboxes: with the key, they would prove that the mailboxes were here. */
  forget(mailboxes: string[], transaction: Kysely<FormsTables>): Promise<void>;
}

const ofDay = (name: string, of: string): Counted => ({ name, of, within: DAY_MS });
const confirmationsTo = (mailbox: string) => ofDay('confirmations', mailbox);
const newsletterTo = (mailbox: string) => ofDay('newsletter', mailbox);
const invitationsBy = (mailbox: string) => ofDay('invitations', mailbox);

export function createMailLimits(config: MailLimitsConfig, counts: Counts): MailLimits {
  return {
    prepare: () => counts.prepare(),
    decide,
    forget: (mailboxes, transaction) =>
      counts.forget(
        mailboxes.flatMap((mailbox) => [
          confirmationsTo(mailbox),
          newsletterTo(mailbox),
          invitationsBy(mailbox),
        ]),
        transaction,
      ),
  };

  async function decide(
    { kind, mailbox, sender }: Selectable<InvitationTable>,
    now: Date,
    transaction: Kysely<FormsTables>,
  ): Promise<MailDecision> {
    const asks = config.confirmationsPerSender;
    const ofKind = {
      confirmation: { counted: confirmationsTo(mailbox), most: asks, drop: true },
      newsletter: { counted: newsletterTo(mailbox), most: asks, drop: true },
      invitation: {
        counted: invitationsBy(mailboxOf(sender)),
        most: config.invitationsPerSender,
        drop: false,
      },
    };
    const limits = [
      ofKind[kind],
      { counted: ofDay('mails to', domainOf(mailbox)), most: config.mailsPerDomain, drop: false },
      { counted: ofDay('mails', ''), most: config.mailsPerDay, drop: false },
    ].filter(({ most }) => most > 0);
    for (const { counted, most, drop } of limits) {
      const { count, endsAt }: TimedCount = await counts.read(counted, now, transaction);
      if (count >= most) return drop ? { go: false, drop } : { go: false, drop, again: endsAt };
    }
    for (const { counted } of limits) await counts.add(counted, now, 1, transaction);
    return { go: true };
  }
}
