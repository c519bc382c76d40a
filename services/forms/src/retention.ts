import { formSources, MAILS_WAIT_DAYS } from '@site/contract';
import { startDailyJob, type DailyJob } from '@site/server/daily-job';
import { sql, type Transaction } from 'kysely';
import { formsDefaults } from './config.ts';
import { DAY_MS, HOUR_MS } from '@site/server/durations';
import { deleteReaderless, UNCONFIRMED_DAYS } from './newsletter/readers.repository.ts';
import type { FormsTables } from './tables.ts';

/** Clocks of instances differ a little: what one of them still takes, another must not have removed. */
const SLACK_MS = HOUR_MS;

/** What the daily job works with. */
export interface RetentionOptions extends Pick<DailyJob<FormsTables>, 'db' | 'log' | 'now'> {
  /** How long an identity is kept after its last registration. Seconds. */
  retention: number;
}

interface When {
  now: Date;
  /** Of identities. Milliseconds. */
  idle: number;
}
type Remove = (transaction: Transaction<FormsTables>, when: When) => Promise<bigint>;

/** One kind of rows: how long they are kept and why. `remove` is null for what no day removes. */
interface Kept {
  table: keyof FormsTables;
  rows: string;
  kept: string;
  why: string;
  remove: Remove | null;
}

/**
 * Everything that the forms service stores, and for how long: the daily job works from this table, and a test holds
 * `docs/retention.md` and the tables of the database to it.
 */
export const retention: readonly Kept[] = [
  {
    table: 'identities',
    rows: 'identities of guests',
    kept: `${(formsDefaults.identityRetention * 1000) / DAY_MS} days after the last visit`,
    why: 'the visitor comes back as the same guest; `IDENTITY_RETENTION_SECONDS`',
    remove: (transaction, { now, idle }) =>
      removed(transaction.deleteFrom('identities').where('last_seen_at', '<', before(now, idle))),
  },
  {
    table: 'subscriptions',
    rows: 'newsletter addresses that their owners confirmed',
    kept: 'until they are unsubscribed',
    why: 'the visitor asked for the newsletter; unsubscribing removes them at once',
    remove: null,
  },
  {
    table: 'readers',
    rows: 'the same addresses, with the moment and the words of the consent',
    kept: 'until they are unsubscribed',
    why: 'to send the newsletter, and to show the consent',
    remove: null,
  },
  {
    table: 'subscriptions',
    rows: 'newsletter addresses that nobody confirmed',
    kept: `${UNCONFIRMED_DAYS} days after they were entered last`,
    why: `the mail that asks may wait ${MAILS_WAIT_DAYS} days, and its link is valid for two after that`,
    remove: formsThatAreDue('='),
  },
  {
    table: 'subscriptions',
    rows: 'newsletter addresses that were confirmed, and that no reader has any more',
    kept: 'until the next day',
    why: 'one address came twice, and what the reader belonged to was erased, or removed as spam',
    remove: (transaction) => removed(deleteReaderless(transaction)),
  },
  {
    table: 'subscriptions',
    rows: 'referrals, with the invitations that belong to them',
    why: 'to answer the sender, and to tell who was invited',
    ...forDays(396, (ms) => formsOlderThan(formSources.referral, ms)),
  },
  {
    table: 'subscriptions',
    rows: 'referrals that their sender did not confirm, with all addresses in them',
    kept: `${MAILS_WAIT_DAYS} days, or longer while a link that asks for it is good`,
    why: `the mail that asks may wait ${MAILS_WAIT_DAYS} days, and its link is valid for one after that`,
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
                selectFrom('invitations')
                  .select('invitations.id')
                  .whereRef('subscription_id', '=', 'subscriptions.id')
                  .where('kind', '=', 'confirmation')
                  .where(({ and, eb, or }) =>
                    or([
                      eb('valid_until', '>', now),
                      and([
                        eb('status', '=', 'waiting'),
                        eb('invitations.created_at', '>', before(now, MAILS_WAIT_DAYS * DAY_MS)),
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
    rows: 'applications of partners',
    why: 'to answer the applicant, and claims after that',
    ...forDays(1096, (ms) => formsOlderThan(formSources['partner-application'], ms)),
  },
  {
    table: 'subscriptions',
    rows: 'what came through forms that remotes declare',
    kept: 'as many days as the form says, at most 1096',
    why: 'what the form is for; the page that it stands on says so',
    remove: formsThatAreDue('<>'),
  },
  {
    table: 'subscriptions',
    rows: 'what is suspected to be spam',
    why: 'to find what was taken for spam by mistake',
    ...forDays(30, spamOlderThan, (days) => `${days}, or ${days} after a person said so`),
  },
  {
    table: 'invitations',
    rows: 'mails to invited addresses, and mails that ask for a confirmation',
    why: 'to follow up complaints; who was invited is kept apart',
    ...forDays(
      30,
      (ms) => olderThan('invitations', 'finished_at', ms),
      (days) => `${days} after they were sent or given up`,
    ),
  },
  {
    table: 'invited',
    rows: 'addresses that got an invitation',
    why: 'an address gets one invitation a year, and the link in the mail works',
    ...forDays(396, (ms) => olderThan('invited', 'invited_at', ms)),
  },
  {
    table: 'unsubscribed',
    rows: 'addresses that want no mail',
    kept: 'until they are erased',
    why: 'it keeps mail from them',
    remove: null,
  },
  {
    table: 'spent_challenges',
    rows: 'captchas that were solved',
    kept: 'until they expire, and a day',
    why: 'each is good once; no personal data',
    remove: olderThan('spent_challenges', 'expires_at', SLACK_MS),
  },
  {
    table: 'counts',
    rows: 'how often a mailbox, network or address did what is limited, as a keyed hash',
    kept: 'until the limit is over, and a day',
    why: 'limits against misuse',
    remove: olderThan('counts', 'ends_at', SLACK_MS),
  },
  {
    table: 'audit',
    rows: 'that something was erased',
    kept: 'for good',
    why: 'it counts rows and says nothing of whose they were',
    remove: null,
  },
  {
    table: 'declared_forms',
    rows: 'which forms remotes declare, and the brand',
    kept: 'for good',
    why: 'no personal data',
    remove: null,
  },
  {
    table: 'notices',
    rows: 'how many submissions of a form nobody has been told of',
    kept: 'for good',
    why: 'no personal data',
    remove: null,
  },
  {
    table: 'looks',
    rows: 'who looked at what was sent: the name of a token, when, which form, how many',
    why: 'to tell who has seen what; nothing in it is of a visitor',
    ...forDays(1096, (ms) => olderThan('looks', 'at', ms)),
  },
  { table: 'secrets', rows: 'keys of the service', kept: 'for good', why: 'no personal data', remove: null },
  { table: 'jobs', rows: 'when jobs ran', kept: 'for good', why: 'no personal data', remove: null },
];

/** Keeps rows for some days: what removes them, and what `say` tells people of it. */
function forDays(days: number, remove: (ms: number) => Remove, say = (text: string): string => text) {
  return { kept: say(`${days} days`), remove: remove(days * DAY_MS) };
}

/** Removes what is past its retention period, now and once a day. Returns a function that stops it. */
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

/** Submissions that carry the date of their removal: those of the newsletter (`=`), or of all other forms (`<>`). */
function formsThatAreDue(newsletter: '=' | '<>'): Remove {
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
