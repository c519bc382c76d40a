import { formSources } from '@site/contract';
import { sql, type Kysely, type Selectable } from 'kysely';
import { DAY_MS } from '@site/server/durations';
import { mailboxSql, toMailbox } from '../kernel/mailbox.ts';
import type { FormsTables, SubscriptionTable } from '../kernel/tables.ts';

/**
 * Reasons visible to a referral's sender. `own`: the sender's address. `duplicate`: of a mailbox.
 * `earlier`: the sender invited it within a year.
 */
type SkipReason = 'own' | 'duplicate' | 'earlier';

export interface Skipped {
  email: string;
  reason: SkipReason;
}

export type Referral = Pick<Selectable<SubscriptionTable>, 'id' | 'email' | 'form_fields'>;

/** A mailbox gets at most one invitation within this time, from any referrer. */
export const INVITATION_PAUSE_MS = 365 * DAY_MS;

export async function divideRecipients(
  db: Kysely<FormsTables>,
  referral: Referral,
  now: Date,
): Promise<{ recipients: string[]; skipped: Skipped[] }> {
  const invited = await readInvited(db, referral, now);
  const own = toMailbox(referral.email);
  const seen = new Set<string>();
  const recipients: string[] = [];
  const skipped: Skipped[] = [];
  for (const email of readAddresses(referral)) {
    const mailbox = toMailbox(email);
    const reason = skipReason(mailbox);
    seen.add(mailbox);
    if (reason === null) recipients.push(email);
    else skipped.push({ email, reason });
  }
  return { recipients, skipped };

  function skipReason(mailbox: string): SkipReason | null {
    if (mailbox === own) return 'own';
    if (seen.has(mailbox)) return 'duplicate';
    return invited.has(mailbox) ? 'earlier' : null;
  }
}

export function readSkipped(text: string | null): Skipped[] {
  return text === null ? [] : (JSON.parse(text) as Skipped[]);
}

/**
 * Mailboxes that this sender invited within a year, considering only the sender's actions, so including
 * invitations withheld because of others. Undeliverable ones may be retried.
 */
async function readInvited(
  db: Kysely<FormsTables>,
  { id, email }: Referral,
  now: Date,
): Promise<Set<string>> {
  const earlier = await db
    .selectFrom('subscriptions')
    .select(['id', 'form_fields', 'skipped'])
    .where('source_id', '=', formSources.referral)
    .where('id', '<>', id)
    .where('confirmed_at', '>', new Date(now.getTime() - INVITATION_PAUSE_MS))
    .where(sql<boolean>`${mailboxSql('subscriptions.email')} = ${toMailbox(email)}`)
    .execute();
  if (earlier.length === 0) return new Set();
  const failed = await db
    .selectFrom('emails')
    .select(['subscription_id', 'mailbox'])
    .where(
      'subscription_id',
      'in',
      earlier.map((referral) => referral.id),
    )
    .where('kind', '=', 'invitation')
    .where('status', '=', 'failed')
    .execute();
  return new Set(
    earlier.flatMap((referral) => {
      const skipped = new Set(readSkipped(referral.skipped).map((each) => each.email));
      const undelivered = new Set(
        failed.filter((each) => each.subscription_id === referral.id).map((each) => each.mailbox),
      );
      return readAddresses(referral)
        .filter((address) => !skipped.has(address))
        .map(toMailbox)
        .filter((mailbox) => !undelivered.has(mailbox));
    }),
  );
}

function readAddresses({ form_fields }: Pick<Referral, 'form_fields'>): string[] {
  return (JSON.parse(form_fields) as { to_emails?: string[] }).to_emails ?? [];
}
