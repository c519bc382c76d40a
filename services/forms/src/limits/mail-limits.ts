import type { Kysely, Selectable } from 'kysely';
import type { FormsTables, InvitationTable } from '../tables.ts';
import type { Count, Counted, Counts } from './counts.ts';
import { DAY } from './counts.ts';
import { domainOf, mailboxOf } from './mailbox.ts';

/** How many mails go out in a day at most. 0: no limit. */
export interface MailLimitsConfig {
  /** Mails that ask one mailbox to confirm a referral. */
  confirmationsPerSender: number;
  /** Invitations in the name of one mailbox. */
  invitationsPerSender: number;
  /** Mails of any kind to one domain. */
  mailsPerDomain: number;
  /** Mails of any kind to anyone. */
  mailsPerDay: number;
}

/** What is to become of a mail whose turn it is. */
export type Verdict = { go: true } | { go: false; drop: true } | { go: false; drop: false; again: Date };

/** Limits what goes out. */
export interface MailLimits {
  /** To be awaited before the transaction of `judge`: within it, an embedded database answers nobody else. */
  prepare(): Promise<void>;
  /** Says whether a mail may go out now, and counts it if so. Only one at a time: within a lock of the caller. */
  judge(mail: Selectable<InvitationTable>, now: Date, transaction: Kysely<FormsTables>): Promise<Verdict>;
}

export function createMailLimits(config: MailLimitsConfig, counts: Counts): MailLimits {
  return { prepare: () => counts.prepare(), judge };

  async function judge(
    { kind, mailbox, sender }: Selectable<InvitationTable>,
    now: Date,
    transaction: Kysely<FormsTables>,
  ): Promise<Verdict> {
    const day = (name: string, of: string): Counted => ({ name, of, within: DAY });
    const limits = [
      kind === 'confirmation'
        ? { counted: day('confirmations', mailbox), most: config.confirmationsPerSender, drop: true }
        : { counted: day('invitations', mailboxOf(sender)), most: config.invitationsPerSender, drop: false },
      { counted: day('mails to', domainOf(mailbox)), most: config.mailsPerDomain, drop: false },
      { counted: day('mails', ''), most: config.mailsPerDay, drop: false },
    ].filter(({ most }) => most > 0);
    for (const { counted, most, drop } of limits) {
      const { count, endsAt }: Count = await counts.read(counted, now, transaction);
      if (count >= most) return drop ? { go: false, drop } : { go: false, drop, again: endsAt };
    }
    for (const { counted } of limits) await counts.add(counted, now, 1, transaction);
    return { go: true };
  }
}
