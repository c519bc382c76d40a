import type { Database } from '@site/server/open-database';
import { startServer } from '@site/server/start-server';
import type { RunningServer } from '@site/server/start-server';
import { createApp } from './app.ts';
import { formsDefaults } from './config.ts';
import type { FormsConfig } from './config.ts';
import { formsMigrations } from './migrations.ts';

/** Where a forms service listens, and on what it works. */
export interface FormsOptions {
  port: number;
  host: string;
  /** Opened by the caller, who closes it after the service. */
  database: Database;
  /** `jwksUrl`, and what differs from the defaults. */
  config: Partial<FormsConfig> & Pick<FormsConfig, 'jwksUrl'>;
}

/**
 * Migrates the database and starts listening.
 *
 * @throws PortError, DatabaseError
 */
export async function startForms({ port, host, database, config }: FormsOptions): Promise<RunningServer> {
  await database.migrate('forms', formsMigrations);
  const app = await createApp({ ...formsDefaults, ...config }, { database });
  return startServer(app, { port, host });
}
