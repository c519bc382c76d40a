import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { SecretOf } from '../secrets.ts';
import type { FormsTables } from '../tables.ts';

/** The kind, the subject, and the duration from the first event. */
export interface Counted {
  name: string;
  /** A network, mailbox or domain. Stored only as a keyed hash. */
  of: string;
  /** Milliseconds. */
  within: number;
}

export interface TimedCount {
  count: number;
  /** When the counter resets. */
  endsAt: Date;
}

/**
 * Counters shared by all instances and persistent across restarts. They contain no addresses and are deleted
 * when they expire.
 */
export interface Counts {
  /** Await before a transaction that counts: it prepares everything that must not be queried inside. */
  prepare(): Promise<void>;
  /** `executor` may be a transaction. */
  read(counted: Counted, now: Date, executor?: Kysely<FormsTables>): Promise<TimedCount>;
  /** Adds `times` and returns the new count. */
  add(counted: Counted, now: Date, times?: number, executor?: Kysely<FormsTables>): Promise<TimedCount>;
  /** Deletes these counters. Inside a transaction. */
  forget(counted: Counted[], transaction: Kysely<FormsTables>): Promise<void>;
}

export function createCounts(db: Kysely<FormsTables>, secretOf: SecretOf): Counts {
  const keyOf = async ({ name, of }: Counted) =>
    createHmac('sha256', await secretOf('counts'))
      .update(`${name}\n${of}`)
      .digest('base64url');
  return {
    async prepare() {
      await secretOf('counts');
    },

    async read(counted, now, executor = db) {
      const row = await executor
        .selectFrom('counts')
        .select(['count', 'ends_at'])
        .where('key', '=', await keyOf(counted))
        .where('ends_at', '>', now)
        .executeTakeFirst();
      return { count: row?.count ?? 0, endsAt: row?.ends_at ?? new Date(now.getTime() + counted.within) };
    },

    async add(counted, now, times = 1, executor = db) {
      const fresh = new Date(now.getTime() + counted.within);
      const { count, ends_at: endsAt } = await executor
        .insertInto('counts')
        .values({ key: await keyOf(counted), count: times, ends_at: fresh })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            count: eb
              .case()
              .when('counts.ends_at', '<=', now)
              .then(times)
              .else(eb('counts.count', '+', times))
              .end(),
            ends_at: eb
              .case()
              .when('counts.ends_at', '<=', now)
              .then(fresh)
              .else(eb.ref('counts.ends_at'))
              .end(),
          })),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow();
      return { count, endsAt };
    },

    async forget(counted, transaction) {
      if (counted.length === 0) return;
      const keys = await Promise.all(counted.map(keyOf));
      await transaction.deleteFrom('counts').where('key', 'in', keys).execute();
    },
  };
}
