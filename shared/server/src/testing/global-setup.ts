import { startPostgres } from './start-postgres.ts';

/**
 * Starts the PostgreSQL of a test run for all projects; each file has its own database. It ends with Jest.
 */
export default async function globalSetup(): Promise<void> {
  if (process.env['TEST_POSTGRES']) return;
  const { url } = await startPostgres();
  process.env['TEST_POSTGRES'] = url;
}
