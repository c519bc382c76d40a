/**
 * The numbers of our advisory locks in PostgreSQL, alone or as the first of two keys. All processes may share one database, and during
 * an update a former version runs beside the new one: so no number is ever changed, or given to another lock. Two numbers serve two locks
 * each, which never meet: PostgreSQL keeps single keys and pairs apart, and no name of a job has the hash 1.
 */
export const advisoryLocks = {
  /** Pairs, with the hash of a schema's name: one process changes a schema. */
  migrations: 5_174_601,
  /** A pair, with 1: nobody begins a change in the registry while a collection decides. */
  collection: 5_174_602,
  /** Pairs, with the hash of a job's name: one instance does the day's work. */
  dailyJobs: 5_174_602,
  /** Pairs, with the hash of a channel's name: what browsers told is counted and judged in turn. */
  signals: 5_174_603,
  /** A single key: mails are judged one after the other. */
  mailJudging: 5_174_603,
  /** A single key: old spam is removed by one instance at a time. */
  spamRemoval: 5_174_604,
} as const;
