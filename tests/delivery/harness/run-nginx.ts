import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { endWithThisProcess, letGo } from '@site/server/testing/let-go';
import { until } from '../../e2e/harness/until.ts';

/** Whether nginx is installed. */
export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

export interface Nginx {
  stop(): Promise<void>;
}

/**
 * Starts this machine's nginx and waits until it accepts connections.
 *
 * @param prefix the folder that its configuration is relative to.
 * @param port of its configuration, on 127.0.0.1.
 */
export async function runNginx(prefix: string, config: string, port: number): Promise<Nginx> {
  const child = spawn('nginx', ['-p', prefix, '-c', config, '-g', `daemon off; pid ${prefix}/pid;`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A test that fails to stop it must not keep Jest from exiting.
  letGo(child);
  // Including its workers.
  endWithThisProcess(child, 'SIGTERM');
  const hasEnded = () => child.exitCode !== null || child.signalCode !== null;
  await until(async () => hasEnded() || accepts(port));
  if (hasEnded()) throw new Error(`nginx ended with ${child.exitCode ?? child.signalCode}: ${output}`);
  return {
    async stop() {
      child.ref();
      child.kill('SIGTERM');
      await ended;
    },
  };
}

function accepts(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const probe = connect(port, '127.0.0.1');
    probe.once('connect', () => {
      probe.destroy();
      resolve(true);
    });
    probe.once('error', () => resolve(false));
  });
}
