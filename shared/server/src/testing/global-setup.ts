import { startPostgres } from './start-postgres.ts';

/** Starts the PostgreSQL of a test run, in which each file has a database of its own. It ends with Jest. */
export default async function globalSetup(): Promise<void> {
  const { url } = await startPostgres();
  process.env['TEST_POSTGRES'] = url;
}
