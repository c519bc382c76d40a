import { formSources, MAILS_WAIT_DAYS } from '@site/contract';
import { startDailyJob, type DailyJob } from '@site/server/daily-job';
import { sql, type Transaction } from 'kysely';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import { formsDefaults } from './config.ts';
import type { FormsTables } from './kernel/tables.ts';
import { deleteOrphanedSubscriptions, UNCONFIRMED_DAYS } from './newsletter/subscribers.repository.ts';

/** Tolerance for clock skew: no instance may remove what another still accepts. */
const SLACK_MS = HOUR_MS;

export interface RetentionOptions extends Pick<DailyJob<FormsTables>, 'db' | 'log' | 'now'> {
  retention: number;
}

interface When {
  now: Date;
  idle: number;
}
type Remove = (transaction: Transaction<FormsTables>, when: When) => Promise<bigint>;

interface RetentionRule {
  table: keyof FormsTables;
  rows: string;
  kept: string;
  why: string;
  remove: Remove | null;
}

/**
 * All stored data and its retention: the daily job works from this table, and a test compares it with
 * `docs/retention.md` and the database's tables.
 */
export const retention: readonly RetentionRule[] = [
  {
    table: 'identities',
    rows: 'identities of guests',
    kept: `${(formsDefaults.identityRetention * 1000) / DAY_MS} days after the last visit`,
    why: 'recognizes a returning guest; `IDENTITY_RETENTION_SECONDS`',
    remove: (transaction, { now, idle }) =>
      removed(transaction.deleteFrom('identities').where('last_seen_at', '<', before(now, idle))),
  },
  {
    table: 'subscriptions',
    rows: 'confirmed newsletter addresses',
    kept: 'until they unsubscribe',
    why: 'requested by the visitor; unsubscribing deletes them immediately',
    remove: null,
  },
  {
    table: 'subscribers',
    rows: 'the same addresses, with time and wording of the consent',
    kept: 'until they unsubscribe',
    why: 'to send the newsletter and prove the consent',
    remove: null,
  },
  {
    table: 'subscriptions',
    rows: 'unconfirmed newsletter addresses',
    kept: `${UNCONFIRMED_DAYS} days after the last sign-up`,
    why: `the confirmation email may wait ${MAILS_WAIT_DAYS} days, and its link is valid for two after that`,
    remove: expiredSubmissions('='),
  },
  {
    table: 'subscriptions',
    rows: 'confirmed addresses without an active subscription',
    kept: 'until the next day',
    why: 'a duplicate remained after an erasure, or after spam was deleted',
    remove: (transaction) => removed(deleteOrphanedSubscriptions(transaction)),
  },
  {
    table: 'subscriptions',
    rows: 'referrals with their invitations',
    why: 'to answer the sender and show who was invited',
    ...forDays(396, (ms) => formsOlderThan(formSources.referral, ms)),
  },
  {
    table: 'subscriptions',
    rows: 'unconfirmed referrals, with all their addresses',
    kept: `${MAILS_WAIT_DAYS} days, or longer while a confirmation link is valid`,
    why: `the confirmation email may wait ${MAILS_WAIT_DAYS} days, and its link is valid for one after that`,
    remove: (transaction, { now }) =>
      removed(
        transaction
          .deleteFrom('subscriptions')
          .where('source_id', '=', formSources.referral)
          .where('confirmed_at', 'is', null)
          .where('created_at', '<', before(now, MAILS_WAIT_DAYS * DAY_MS))
          .where(({ not, exists, selectFrom }) =>
            not(
              exists(
                selectFrom('emails')
                  .select('emails.id')
                  .whereRef('subscription_id', '=', 'subscriptions.id')
                  .where('kind', '=', 'confirmation')
                  .where(({ and, eb, or }) =>
                    or([
                      eb('valid_until', '>', now),
                      and([
                        eb('status', '=', 'waiting'),
                        eb('emails.created_at', '>', before(now, MAILS_WAIT_DAYS * DAY_MS)),
                      ]),
                    ]),
                  ),
              ),
            ),
          ),
      ),
  },
  {
    table: 'subscriptions',
    rows: 'partner applications',
    why: 'to answer the applicant and later claims',
    ...forDays(1096, (ms) => formsOlderThan(formSources['partner-application'], ms)),
  },
  {
    table: 'subscriptions',
    rows: 'submissions of declared forms',
    kept: 'the days that the form declares, at most 1096',
    why: 'the purpose stated next to the form',
    remove: expiredSubmissions('<>'),
  },
  {
    table: 'subscriptions',
    rows: 'suspected spam',
    why: 'to find false positives',
    ...forDays(30, spamOlderThan, (days) => `${days}, or ${days} after it was marked`),
  },
  {
    table: 'emails',
    rows: 'invitation and confirmation emails',
    why: 'to follow up complaints; invited addresses are kept separately',
    ...forDays(
      30,
      (ms) => olderThan('emails', 'finished_at', ms),
      (days) => `${days} after delivery or the last attempt`,
    ),
  },
  {
    table: 'invited',
    rows: 'invited addresses',
    why: 'one invitation a year per address; keeps the link in the email working',
    ...forDays(396, (ms) => olderThan('invited', 'invited_at', ms)),
  },
  {
    table: 'unsubscribed',
    rows: 'opted-out addresses',
    kept: 'until they are erased, or confirm the newsletter',
    why: 'to send them no email',
    remove: null,
  },
  {
    table: 'spent_challenges',
    rows: 'solved captchas',
    kept: 'up to a day after they expire',
    why: 'each is valid once; no personal data',
    remove: olderThan('spent_challenges', 'expires_at', SLACK_MS),
  },
  {
    table: 'counters',
    rows: 'rate limit counters of mailboxes, networks and addresses, by keyed hash',
    kept: 'up to a day after the period ends',
    why: 'to prevent misuse',
    remove: olderThan('counters', 'ends_at', SLACK_MS),
  },
  {
    table: 'audit',
    rows: 'erasures',
    kept: 'permanently',
    why: 'row counts without identities',
    remove: null,
  },
  {
    table: 'declared_forms',
    rows: 'declared forms, and the brand',
    kept: 'permanently',
    why: 'no personal data',
    remove: null,
  },
  {
    table: 'notices',
    rows: 'counts of submissions that await notification',
    kept: 'permanently',
    why: 'no personal data',
    remove: null,
  },
  {
    table: 'access_log',
    rows: 'access log of submissions: token name, time, form, count',
    why: 'to show who has read submissions; no visitor data',
    ...forDays(1096, (ms) => olderThan('access_log', 'at', ms)),
  },
  {
    table: 'secrets',
    rows: 'keys of the service',
    kept: 'permanently',
    why: 'no personal data',
    remove: null,
  },
  { table: 'jobs', rows: 'job times', kept: 'permanently', why: 'no personal data', remove: null },
];

function forDays(days: number, remove: (ms: number) => Remove, say = (text: string): string => text) {
  return { kept: say(`${days} days`), remove: remove(days * DAY_MS) };
}

export function startRetention({ retention: seconds, now = Date.now, ...job }: RetentionOptions) {
  return startDailyJob({
    ...job,
    now,
    name: 'forms-retention',
    run: async (transaction) => {
      const when = { now: new Date(now()), idle: seconds * 1000 };
      const counts: Record<string, number> = {};
      for (const { table, remove } of retention) {
        if (!remove) continue;
        const count = await remove(transaction, when);
        counts[table] = (counts[table] ?? 0) + Number(count);
      }
      return { removed: counts };
    },
  });
}

function olderThan<Table extends keyof FormsTables>(
  table: Table,
  column: keyof FormsTables[Table] & string,
  ms: number,
): Remove {
  return (transaction, { now }) =>
    removed(
      transaction.deleteFrom<keyof FormsTables>(table).where(sql.ref<Date>(column), '<', before(now, ms)),
    );
}

function formsOlderThan(source: string, ms: number): Remove {
  return (transaction, { now }) =>
    removed(
      transaction
        .deleteFrom('subscriptions')
        .where('source_id', '=', source)
        .where('created_at', '<', before(now, ms)),
    );
}

function spamOlderThan(ms: number): Remove {
  return (transaction, { now }) =>
    removed(
      transaction
        .deleteFrom('subscriptions')
        .where('suspected_spam', '=', true)
        .where(({ eb, fn }) => eb(fn.coalesce('marked_at', 'created_at'), '<', before(now, ms))),
    );
}

/** Submissions with a removal date, of the newsletter (`=`) or of all other forms (`<>`). */
function expiredSubmissions(newsletter: '=' | '<>'): Remove {
  return (transaction, { now }) =>
    removed(
      transaction
        .deleteFrom('subscriptions')
        .where('source_id', newsletter, formSources.newsletter)
        .where('remove_at', '<', now),
    );
}

async function removed(query: { executeTakeFirst(): Promise<{ numDeletedRows: bigint }> }): Promise<bigint> {
  return (await query.executeTakeFirst()).numDeletedRows;
}

function before(now: Date, ms: number): Date {
  return new Date(now.getTime() - ms);
}
