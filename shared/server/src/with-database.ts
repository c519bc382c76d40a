import { join } from 'node:path';
import { openDatabase, type Database } from './open-database.ts';
import type { RunningServer } from './start-server.ts';
import { writeLog } from './write-log.ts';

/**
 * Opens the database that the environment names, starts a server on it, and prints the server's URL; closing ends both,
 * the database last.
 */
export async function withDatabase(
  env: { DATABASE_URL?: string | undefined; DATA_DIR: string },
  start: (database: Database) => Promise<RunningServer>,
): Promise<RunningServer> {
  const database = await openDatabase({
    url: env.DATABASE_URL,
    dataDir: join(env.DATA_DIR, 'database'),
  });
  try {
    const server = await start(database);
    writeLog(`listening on ${server.url}\n`);
    return {
      ...server,
      close: async () => {
        await server.close();
        await database.close();
      },
    };
  } catch (error) {
    await database.close();
    throw error;
  }
}
