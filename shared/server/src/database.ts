import type { Kysely } from 'kysely';

/** One step of a schema's history. Names are never changed and never removed once released. */
export interface Migration {
  /** Sorts in the order of the steps: `001-guests`, `002-…`. */
  name: string;
  /** Runs in the migration's transaction, with names resolved in the service's own schema. */
  up(db: Kysely<unknown>): Promise<void>;
}

/** The database of one process: an embedded PGlite or a PostgreSQL server, used in the same way. */
export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /**
   * The tables of one SQL schema. All handles share one connection pool (one single connection for PGlite), so never
   * await something slow inside a transaction.
   */
  schema<Tables>(name: string): Kysely<Tables>;
  /**
   * Brings one SQL schema up to date, creating it when missing. Any number of instances may call this at the same time;
   * each step runs once, all missing steps of one call in one transaction.
   *
   * @throws DatabaseError when the steps that ran before are not the beginning of `migrations`.
   */
  migrate(schema: string, migrations: readonly Migration[]): Promise<void>;
  /**
   * Tells every process that listens on `channel`. Channels are words in lower case joined by `_`; a payload has fewer
   * than 8,000 bytes.
   */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Calls `onPayload` for each notification, also those of this process. A listener reconnects by itself after a lost
   * connection, but notifications sent in between are lost: poll as well. Resolves to a function that stops listening.
   */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>;
  /** Rejects when the database does not answer. For readiness checks. */
  ping(): Promise<void>;
  /** Ends all connections; for PGlite, writes everything and frees the data folder. Safe to call twice. */
  close(): Promise<void>;
}

/** What goes wrong between requests, such as a lost connection: nobody else would hear of it. */
export type OnWarning = (message: string, error: unknown) => void;

/** The database cannot be opened or used. The message says which one, why, and what to do. */
export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code:
    | 'folder_in_use'
    | 'folder_unreadable'
    | 'folder_full'
    | 'folder_corrupt'
    | 'server_unreachable'
    | 'migrations_differ';

  constructor(code: DatabaseError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

/** Guards a name that goes into SQL as an identifier. */
export function checkedName(kind: 'schema' | 'channel', name: string): string {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(name)) {
    throw new TypeError(
      `"${name}" is not a valid ${kind} name: use lower-case letters, digits and "_", at most 51.`,
    );
  }
  return name;
}
