import { createHmac } from 'node:crypto';
import type { Kysely } from 'kysely';
import type { ReadSecret } from './secrets.ts';
import type { FormsTables } from './tables.ts';

export interface Counter {
  name: string;
  subject: string;
  periodMs: number;
}

export interface Count {
  count: number;
  endsAt: Date;
}

/**
 * Counters shared by all instances and persistent across restarts. They contain no addresses and are deleted
 * when they expire.
 */
export interface Counters {
  /** Await before a transaction that counts: it prepares everything that must not be queried inside. */
  prepare(): Promise<void>;
  read(counter: Counter, now: Date, executor?: Kysely<FormsTables>): Promise<Count>;
  add(counter: Counter, now: Date, times?: number, executor?: Kysely<FormsTables>): Promise<Count>;
  forget(counters: Counter[], transaction: Kysely<FormsTables>): Promise<void>;
}

export function createCounters(db: Kysely<FormsTables>, readSecret: ReadSecret): Counters {
  const hashKey = async ({ name, subject }: Counter) =>
    createHmac('sha256', await readSecret('counters'))
      .update(`${name}\n${subject}`)
      .digest('base64url');
  return {
    async prepare() {
      await readSecret('counters');
    },

    async read(counter, now, executor = db) {
      const row = await executor
        .selectFrom('counters')
        .select(['count', 'ends_at'])
        .where('key', '=', await hashKey(counter))
        .where('ends_at', '>', now)
        .executeTakeFirst();
      return { count: row?.count ?? 0, endsAt: row?.ends_at ?? new Date(now.getTime() + counter.periodMs) };
    },

    async add(counter, now, times = 1, executor = db) {
      const fresh = new Date(now.getTime() + counter.periodMs);
      const { count, ends_at: endsAt } = await executor
        .insertInto('counters')
        .values({ key: await hashKey(counter), count: times, ends_at: fresh })
        .onConflict((conflict) =>
          conflict.column('key').doUpdateSet((eb) => ({
            count: eb
              .case()
              .when('counters.ends_at', '<=', now)
              .then(times)
              .else(eb('counters.count', '+', times))
              .end(),
            ends_at: eb
              .case()
              .when('counters.ends_at', '<=', now)
              .then(fresh)
              .else(eb.ref('counters.ends_at'))
              .end(),
          })),
        )
        .returning(['count', 'ends_at'])
        .executeTakeFirstOrThrow();
      return { count, endsAt };
    },

    async forget(counters, transaction) {
      if (counters.length === 0) return;
      const keys = await Promise.all(counters.map(hashKey));
      await transaction.deleteFrom('counters').where('key', 'in', keys).execute();
    },
  };
}
