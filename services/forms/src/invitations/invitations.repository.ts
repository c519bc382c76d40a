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
   * are never among them.
   */
  claim(now: Date, leaseUntil: Date): Promise<InvitationRow | undefined>;
  finish(id: string, ending: Ending, now: Date): Promise<void>;
  find(id: string): Promise<InvitationRow | undefined>;
  /** No mail goes to this address again, whatever its case. Repeating it changes nothing. */
  unsubscribe(email: string, now: Date): Promise<void>;
  /** Drops what waits for addresses that have unsubscribed, and captcha challenges that nobody can use any more. */
  tidy(now: Date): Promise<void>;
}

export function createInvitationsRepository(db: Kysely<FormsTables>): InvitationsRepository {
  return {
    async claim(now, leaseUntil) {
      return db
        .updateTable('invitations')
        .set((eb) => ({ attempts: eb('attempts', '+', 1), next_at: leaseUntil }))
        .where('id', '=', (eb) =>
          eb
            .selectFrom('invitations')
            .select('id')
            .where('status', '=', 'waiting')
            .where('next_at', '<=', now)
            .where(
              sql<string>`lower(recipient)`,
              'not in',
              eb.selectFrom('unsubscribed').select('unsubscribed.email'),
            )
            .orderBy('next_at')
            .orderBy('id')
            .limit(1)
            .forUpdate()
            .skipLocked(),
        )
        .returningAll()
        .executeTakeFirst();
    },

    async finish(id, ending, now) {
      await db
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
        .execute();
    },

    find: (id) => db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst(),

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
