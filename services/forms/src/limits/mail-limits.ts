import type { Kysely, Selectable } from 'kysely';
import type { FormsTables, InvitationTable } from '../tables.ts';
import { DAY_MS } from '@site/server/durations';
import type { Counted, Counts, TimedCount } from './counts.ts';
import { domainOf, mailboxOf } from './mailbox.ts';

/** How many mails go out in a day at most. 0: no limit. */
export interface MailLimitsConfig {
  /** Mails that ask one mailbox to confirm a referral, and as many that ask it to confirm the newsletter. */
  confirmationsPerSender: number;
  /** Invitations in the name of one mailbox. */
  invitationsPerSender: number;
  /** Mails of any kind to one domain. */
  mailsPerDomain: number;
  /** Mails of any kind to anyone. */
  mailsPerDay: number;
}

/** What is to become of a mail whose turn it is. */
export type MailDecision = { go: true } | { go: false; drop: true } | { go: false; drop: false; again: Date };

/** Limits what goes out. */
export interface MailLimits {
  /** To be awaited before the transaction of `decide` or `forget`: within it, an embedded database answers nobody else. */
  prepare(): Promise<void>;
  /** Says whether a mail may go out now, and counts it if so. Only one at a time: within a lock of the caller. */
  decide(
    mail: Selectable<InvitationTable>,
    now: Date,
    transaction: Kysely<FormsTables>,
  ): Promise<MailDecision>;
  /** Removes what was counted of these mailboxes: with the key, these counts would show that they were here. */
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
