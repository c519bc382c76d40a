/**
 * The numbers of our advisory locks in PostgreSQL, as single keys or as the first of a pair. All processes
 * may share a database, and old versions run next to new ones during an update: never change or reuse a
 * number. Two numbers serve two locks each, which cannot conflict: PostgreSQL separates single keys from
 * pairs, and no job name has the hash 1.
 */
export const advisoryLocks = {
  /** Pairs with the hash of a schema's name: serializes migrations. */
  migrations: 5_174_601,
  /** A pair with 1: blocks registry changes while a garbage collection decides. */
  collection: 5_174_602,
  /** Pairs with the hash of a job's name: one instance runs the daily job. */
  dailyJobs: 5_174_602,
  /** Pairs with the hash of a channel's name: serializes counting and judging of signals. */
  signals: 5_174_603,
  /** A single key: serializes the limits of outgoing email. */
  mailJudging: 5_174_603,
  /** A single key: serializes the removal of old spam. */
  spamRemoval: 5_174_604,
} as const;
