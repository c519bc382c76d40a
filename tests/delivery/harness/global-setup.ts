import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import startPostgres from '@site/server/testing/global-setup';
import { findBrowser } from '../../e2e/harness/browser.ts';

/**
 * What the tests of a cluster share: one PostgreSQL, in which each file has a database of its own, a browser,
 * and what the compiler learned.
 */
export default async function globalSetup(): Promise<void> {
  await startPostgres();
  // One that a package brings is unpacked at its first use: not by two files at once.
  await findBrowser();
  process.env['CHECKED_TYPES'] ??= await mkdtemp(join(tmpdir(), 'site-types-'));
}
