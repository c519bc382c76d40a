import { formOfSource } from '@site/contract';
import type { FastifyBaseLogger } from 'fastify';
import type { Kysely, Selectable } from 'kysely';
import { MINUTE_MS } from '@site/server/durations';
import { emailSender, type FindBrand } from '../kernel/brand.ts';
import { startPoller } from '../kernel/poller.ts';
import type { FormsTables, NoticeTable } from '../kernel/tables.ts';
import { composeEmail } from './compose-email.ts';
import { errorCodes, openTransport, type MailConfig } from './transport.ts';

export type Notice = Pick<NoticeTable, 'source_id' | 'title' | 'team'>;

/** Counts a submission for its team's next notification, in the transaction that stores it. */
export async function addNotice(transaction: Kysely<FormsTables>, notice: Notice, at: Date): Promise<void> {
  await transaction
    .insertInto('notices')
    .values({ ...notice, waiting: 1, next_at: at })
    .onConflict((conflict) =>
      conflict
        .column('source_id')
        .doUpdateSet((eb) => ({ ...notice, waiting: eb('notices.waiting', '+', 1) })),
    )
    .execute();
}

export interface NoticesOptions {
  db: Kysely<FormsTables>;
  mail: MailConfig;
  findBrand: FindBrand;
  /**
   * Team, or name of a form of the site → address. Without an address, notifications wait until there is one.
   */
  recipients: Readonly<Record<string, string>>;
  log: Pick<FastifyBaseLogger, 'info' | 'warn' | 'error'>;
  now?: () => number;
  every?: number;
}

const INTERVAL_MS = 5_000;
/** A team gets at most one email per form within this time; a failed email is retried after it. */
export const NOTICE_PAUSE_MS = 15 * MINUTE_MS;

/**
 * Emails the configured teams the number of new submissions, without their contents, so that erasing a
 * visitor needs no mailbox search. Returns a function that stops it after the current email.
 */
export function startNotices({
  db,
  mail,
  findBrand,
  recipients,
  log,
  now = Date.now,
  every = INTERVAL_MS,
}: NoticesOptions): () => Promise<void> {
  const transport = openTransport(mail.smtpUrl);
  const teams = Object.keys(recipients);

  /** A lease for this instance: for others it is due after the pause. */
  const claim = (at: Date): Promise<Selectable<NoticeTable> | undefined> =>
    db
      .updateTable('notices')
      .set({ next_at: new Date(at.getTime() + NOTICE_PAUSE_MS) })
      .where('source_id', 'in', (due) =>
        due
          .selectFrom('notices')
          .select('source_id')
          .where('waiting', '>', 0)
          .where('next_at', '<=', at)
          .where('team', 'in', teams)
          .orderBy('next_at')
          .limit(1)
          .forUpdate()
          .skipLocked(),
      )
      .returningAll()
      .executeTakeFirst();

  async function sendNotices(shouldContinue: () => boolean): Promise<void> {
    while (shouldContinue()) {
      const notice = await claim(new Date(now()));
      if (!notice) return;
      const { source_id: form, title, team, waiting } = notice;
      try {
        const brand = await findBrand();
        const submissions = waiting === 1 ? 'submission' : 'submissions';
        const subject = `${waiting} new ${submissions}: ${title}`;
        const name = formOfSource(form) ?? form;
        await transport.sendMail({
          from: emailSender(brand, mail.from),
          to: { name: '', address: recipients[team] ?? '' },
          subject,
          ...composeEmail(brand, subject, [
            {
              kind: 'text',
              text: `You have ${waiting} new ${submissions} of the form "${title}" (${form}).`,
            },
            {
              kind: 'text',
              text: `Read them with "npx @site/cli inbox ${name}", or in the console under "Inbox".`,
            },
          ]),
          headers: { 'Auto-Submitted': 'auto-generated' },
        });
      } catch (error) {
        log.warn({ form, reason: errorCodes(error) }, 'could not notify a team about submissions');
        continue;
      }
      await db
        .updateTable('notices')
        .set((eb) => ({ waiting: eb('waiting', '-', waiting) }))
        .where('source_id', '=', form)
        .execute();
      log.info({ form, count: waiting }, 'notified a team about submissions');
    }
  }

  return startPoller({
    run: async (shouldContinue) => {
      if (teams.length > 0) await sendNotices(shouldContinue);
    },
    subject: 'the notices',
    every,
    log,
  });
}
