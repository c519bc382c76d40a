import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { freePorts } from './free-ports.ts';

export const hasPgBouncer = spawnSync('pgbouncer', ['--version']).status === 0;

/** A real PgBouncer in front of the server of `url`. @param settings lines of its configuration. */
export async function startPgBouncer(
  url: string,
  settings: string,
): Promise<{ url: string; stop(): Promise<void> }> {
  const server = new URL(url);
  const port = await freePorts();
  const folder = await mkdtemp(join(tmpdir(), 'site-pgbouncer-'));
  await chmod(folder, 0o755);
  const file = join(folder, 'pgbouncer.ini');
  await writeFile(
    file,
    `[databases]
* = host=${server.hostname} port=${server.port} user=${server.username} password=${server.password}
[pgbouncer]
listen_addr = 127.0.0.1
listen_port = ${port}
unix_socket_dir =
auth_type = any
${settings}
`,
  );
  // It refuses to run as root.
  const user = process.getuid?.() === 0 ? ['-u', 'nobody'] : [];
  const child = spawn('pgbouncer', [...user, file], { stdio: ['ignore', 'ignore', 'pipe'] });
  const lines = createInterface(child.stderr);
  await new Promise<void>((resolve, reject) => {
    let log = '';
    lines.on('line', (line) => {
      log += `${line}\n`;
      if (line.includes('process up')) resolve();
    });
    child.once('exit', () => reject(new Error(`PgBouncer did not start:\n${log}`)));
  });
  const pooled = new URL(url);
  pooled.port = String(port);
  return {
    url: pooled.href,
    async stop() {
      const ended = once(child, 'exit');
      child.kill();
      await ended;
      await rm(folder, { recursive: true });
    },
  };
}
