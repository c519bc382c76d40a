import type { Kysely } from 'kysely';

export interface Migration {
  name: string;
  up(db: Kysely<unknown>): Promise<void>;
}

export interface Database {
  readonly kind: 'pglite' | 'postgres';
  /**
   * The tables of one SQL schema. All handles share one connection pool (a single connection for PGlite):
   * never await anything slow inside a transaction.
   */
  schema<Tables>(name: string): Kysely<Tables>;
  /**
   * Migrates one SQL schema, creating it if missing. Safe for concurrent instances; each step runs once, all
   * missing steps in one transaction.
   * @throws DatabaseError if the applied steps are not a prefix of `migrations`.
   */
  migrate(schema: string, migrations: readonly Migration[]): Promise<void>;
  /**
   * Notifies every process that listens on `channel`. Channels are lower-case words joined by `_`; payloads
   * are limited to 7,999 bytes.
   */
  notify(channel: string, payload: string): Promise<void>;
  /**
   * Calls `onPayload` for each notification, including its own. A listener reconnects automatically, but
   * notifications sent in the meantime are lost: poll as well. Resolves to a function that stops listening.
   */
  listen(channel: string, onPayload: (payload: string) => void): Promise<() => Promise<void>>;
  ping(): Promise<void>;
  close(): Promise<void>;
}

export type OnWarning = (message: string, error: unknown) => void;

export class DatabaseError extends Error {
  override readonly name = 'DatabaseError';
  readonly code:
    | 'folder_in_use'
    | 'folder_unreadable'
    | 'folder_full'
    | 'folder_corrupt'
    | 'server_unreachable'
    | 'sessions_shared'
    | 'permission_missing'
    | 'migrations_differ';

  constructor(code: DatabaseError['code'], message: string, options: { cause?: unknown } = {}) {
    super(message, options);
    this.code = code;
  }
}

export function checkedName(kind: 'schema' | 'channel', name: string): string {
  if (!/^[a-z][a-z0-9_]{0,50}$/.test(name)) {
    throw new TypeError(
      `"${name}" is not a valid ${kind} name: use lower-case letters, digits and "_", at most 51.`,
    );
  }
  return name;
}
