import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { SecretOf } from '../secrets.ts';
import type { FormsTables } from '../tables.ts';

/** What is counted, of whom, and for how long after the first time. */
export interface Counted {
  name: string;
  /** A network, a mailbox, a domain. Stored only as a keyed hash. */
  of: string;
  /** Milliseconds. */
  within: number;
}

export interface TimedCount {
  count: number;
  /** When it starts again. */
  endsAt: Date;
}

/** Counts that hold over all instances and restarts. They hold no address, and nothing once their time is over. */
export interface Counts {
  /** To be awaited before a transaction that counts: it sees to it that nothing is asked outside of that. */
  prepare(): Promise<void>;
  /** The count so far. Inside a transaction when `executor` is one. */
  read(counted: Counted, now: Date, executor?: Kysely<FormsTables>): Promise<TimedCount>;
  /** Counts `times` more, and gives the new count. */
  add(counted: Counted, now: Date, times?: number, executor?: Kysely<FormsTables>): Promise<TimedCount>;
  /** Whatever was counted of these starts from zero, and nothing is left of them. Inside a transaction. */
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
