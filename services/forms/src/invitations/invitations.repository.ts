import type { Kysely, Selectable } from 'kysely';
import { sql } from 'kysely';
import type { FormsTables, InvitationTable } from '../tables.ts';

export type InvitationRow = Selectable<InvitationTable>;

/** How sending one ended. */
export type Ending =
  | { status: 'sent' }
  | { status: 'failed'; error: string }
  | { status: 'waiting'; error: string; nextAt: Date };

/** The outbox of invitations in the database. */
export interface InvitationsRepository {
  /**
   * Takes one that is due, for this instance alone until `leaseUntil`; undefined when none is. Unsubscribed addresses
   * are never among them, nor those that were invited within a year: what is due for them ends as `skipped`.
   */
  claim(now: Date, leaseUntil: Date): Promise<InvitationRow | undefined>;
  finish(id: string, ending: Ending, now: Date): Promise<void>;
  /** Whom an invitation went, or is to go, to; also after an erasure of the referral. */
  recipientOf(id: string): Promise<string | undefined>;
  /** No mail goes to this address again, whatever its case. Repeating it changes nothing. */
  unsubscribe(email: string, now: Date): Promise<void>;
  /** Drops what waits for addresses that have unsubscribed, and captcha challenges that nobody can use any more. */
  tidy(now: Date): Promise<void>;
}

/** An address gets one invitation within this time, whoever refers it. */
const ONCE_WITHIN = 365 * 24 * 60 * 60 * 1000;

export function createInvitationsRepository(db: Kysely<FormsTables>): InvitationsRepository {
  const claimNext = (now: Date, leaseUntil: Date): Promise<InvitationRow | undefined> =>
    db.transaction().execute(async (transaction) => {
      const due = await transaction
        .selectFrom('invitations')
        .selectAll()
        .where('status', '=', 'waiting')
        .where('next_at', '<=', now)
        .where(
          sql<string>`lower(recipient)`,
          'not in',
          transaction.selectFrom('unsubscribed').select('unsubscribed.email'),
        )
        .orderBy('next_at')
        .orderBy('id')
        .limit(1)
        .forUpdate()
        .skipLocked()
        .executeTakeFirst();
      if (!due) return undefined;
      const email = due.recipient.toLowerCase();
      // Of two instances that hold invitations to the same address, the second sees what the first has noted.
      await sql`select pg_advisory_xact_lock(hashtextextended(${email}, 0))`.execute(transaction);
      const earlier = await transaction
        .selectFrom('invited')
        .select('invitation_id')
        .where('email', '=', email)
        .where('invitation_id', '<>', due.id)
        .where('invited_at', '>', new Date(now.getTime() - ONCE_WITHIN))
        .limit(1)
        .executeTakeFirst();
      if (!earlier) {
        await transaction
          .insertInto('invited')
          .values({ invitation_id: due.id, email, invited_at: now })
          .onConflict((conflict) => conflict.doNothing())
          .execute();
      }
      return transaction
        .updateTable('invitations')
        .set((eb) =>
          earlier
            ? { status: 'skipped' as const, finished_at: now }
            : { attempts: eb('attempts', '+', 1), next_at: leaseUntil },
        )
        .where('id', '=', due.id)
        .returningAll()
        .executeTakeFirstOrThrow();
    });

  return {
    async claim(now, leaseUntil) {
      for (;;) {
        const claimed = await claimNext(now, leaseUntil);
        if (claimed?.status !== 'skipped') return claimed;
      }
    },

    async finish(id, ending, now) {
      await db.transaction().execute(async (transaction) => {
        const finished = await transaction
          .updateTable('invitations')
          .set(
            ending.status === 'waiting'
              ? { last_error: ending.error, next_at: ending.nextAt }
              : {
                  status: ending.status,
                  finished_at: now,
                  ...(ending.status === 'failed' ? { last_error: ending.error } : {}),
                },
          )
          .where('id', '=', id)
          .where('status', '=', 'waiting')
          .returning('id')
          .executeTakeFirst();
        // Who never got it may be invited again.
        if (finished && ending.status === 'failed')
          await transaction.deleteFrom('invited').where('invitation_id', '=', id).execute();
      });
    },

    async recipientOf(id) {
      const invited = await db
        .selectFrom('invited')
        .select('email')
        .where('invitation_id', '=', id)
        .executeTakeFirst();
      if (invited) return invited.email;
      const queued = await db
        .selectFrom('invitations')
        .select('recipient')
        .where('id', '=', id)
        .executeTakeFirst();
      return queued?.recipient;
    },

    async unsubscribe(email, now) {
      await db
        .insertInto('unsubscribed')
        .values({ email: email.toLowerCase(), created_at: now })
        .onConflict((conflict) => conflict.doNothing())
        .execute();
    },

    async tidy(now) {
      await db
        .updateTable('invitations')
        .set({ status: 'unsubscribed', finished_at: now })
        .where('status', '=', 'waiting')
        .where(
          sql<string>`lower(recipient)`,
          'in',
          db.selectFrom('unsubscribed').select('unsubscribed.email'),
        )
        .execute();
      await db.deleteFrom('spent_challenges').where('expires_at', '<', now).execute();
    },
  };
}
