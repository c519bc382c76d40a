import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import startPostgres from '@site/server/testing/global-setup';
import { findBrowser } from '../../e2e/harness/browser.ts';

/** Shared by all cluster tests: one PostgreSQL with a database per file, a browser, and the compiler's state. */
export default async function globalSetup(): Promise<void> {
  await startPostgres();
  // A packaged browser is unpacked at its first use, which must not happen in two files concurrently.
  await findBrowser();
  process.env['CHECKED_TYPES'] ??= await mkdtemp(join(tmpdir(), 'site-types-'));
}
