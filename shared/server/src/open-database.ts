import type { Database, OnWarning } from './database.ts';
import { openPostgres, type Patience } from './open-postgres.ts';

export type { Database, Migration } from './database.ts';
export { DatabaseError } from './database.ts';

/** Which database to open: `url` wins over `dataDir`. */
export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database` */
  url?: string | undefined;
  /** A folder of its own for the embedded database (created when missing), such as `.data/database`. */
  dataDir?: string | undefined;
  /** Hears of connections that are lost between requests, and opened again. Default: said on stderr. */
  onWarning?: OnWarning | undefined;
  /** How long to wait for a PostgreSQL server that is gone without a word. Default: 20 s for an answer. */
  patience?: Patience | undefined;
}

/**
 * Opens the one database of this process.
 *
 * @throws DatabaseError when the folder is in use, unreadable or corrupt, or the server cannot be reached. The message
 * names the folder or server and says what to do.
 *
 * @example
 * const database = await openDatabase({ url: config.DATABASE_URL, dataDir: join(config.DATA_DIR, 'database') });
 * await database.migrate('gateway', gatewayMigrations);
 * const db = database.schema<GatewayTables>('gateway');
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url) return openPostgres(options.url, options.onWarning ?? sayOnStderr, options.patience);
  if (options.dataDir) {
    // It is large: only who uses it loads it.
    const { openPglite } = await import('./open-pglite.ts');
    return openPglite(options.dataDir);
  }
  throw new TypeError('openDatabase needs a "url" or a "dataDir".');
}

function sayOnStderr(message: string, error: unknown): void {
  process.stderr.write(`${message} (${String(error)})\n`);
}
