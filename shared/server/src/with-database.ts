import { join } from 'node:path';
import { openDatabase, type Database } from './open-database.ts';
import type { RunningServer } from './start-server.ts';
import type { Running } from './run-process.ts';
import { writeLog } from './write-log.ts';

type Started = Pick<RunningServer, 'url' | 'drain' | 'close'>;

/**
 * Opens the configured database, starts a server on it, and prints the server's URL; closing ends both, the
 * database last.
 * @param env.DRAIN_SECONDS how long it serves after "not ready".
 * @param env.folder the database folder in `DATA_DIR`, if no other database is configured.
 * @param env.printed the text before the URL.
 */
export async function withDatabase(
  env: {
    DATABASE_URL?: string | undefined;
    DATA_DIR: string;
    DRAIN_SECONDS?: number;
    folder?: string;
    printed?: string;
  },
  start: (database: Database) => Promise<Started>,
): Promise<Running & { url: string }> {
  const { folder = 'database', printed = 'listening on' } = env;
  const database = await openDatabase({
    url: env.DATABASE_URL,
    dataDir: join(env.DATA_DIR, folder),
  });
  try {
    const server = await start(database);
    writeLog(`${printed} ${server.url}\n`);
    return {
      url: server.url,
      drain: () => server.drain(),
      drainSeconds: env.DRAIN_SECONDS ?? 0,
      close: async () => {
        try {
          await server.close();
        } finally {
          await database.close();
        }
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
