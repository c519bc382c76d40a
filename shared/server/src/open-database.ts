import type { Database, OnWarning } from './database.ts';
import { openPostgres, type Patience } from './open-postgres.ts';

export type { Database, Migration } from './database.ts';
export { DatabaseError } from './database.ts';

export interface DatabaseOptions {
  /** `postgres://user:password@host:port/database`, or with several `host:port`, separated by commas. */
  url?: string | undefined;
  dataDir?: string | undefined;
  onWarning?: OnWarning | undefined;
  patience?: Patience | undefined;
}

/**
 * Opens the database of this process.
 * @throws DatabaseError if the folder is in use, unreadable or corrupt, or the server is unreachable. The
 * message names the folder or server and the remedy.
 * @example const database = await openDatabase({ url: config.DATABASE_URL, dataDir: join(config.DATA_DIR,
 * 'database') }); await database.migrate('gateway', gatewayMigrations); const db =
 * database.schema<GatewayTables>('gateway');
 */
export async function openDatabase(options: DatabaseOptions): Promise<Database> {
  if (options.url) return openPostgres(options.url, options.onWarning ?? sayOnStderr, options.patience);
  if (options.dataDir) {
    // Lazy, because the module is large.
    const { openPglite } = await import('./open-pglite.ts');
    return openPglite(options.dataDir);
  }
  throw new TypeError('openDatabase needs a "url" or a "dataDir".');
}

function sayOnStderr(message: string, error: unknown): void {
  process.stderr.write(`${message} (${String(error)})\n`);
}
