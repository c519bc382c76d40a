import { spawn, spawnSync } from 'node:child_process';
import { connect } from 'node:net';
import { endWithThisProcess, letGo } from '@site/server/testing/let-go';
import { until } from '../../e2e/harness/until.ts';

/** Whether this machine has an nginx. */
export const hasNginx = spawnSync('nginx', ['-v']).error === undefined;

/** A web server that runs. `stop` is done when it has ended. */
export interface Nginx {
  stop(): Promise<void>;
}

/**
 * Starts the nginx of this machine and waits until it takes connections.
 *
 * @param prefix the folder that its configuration is relative to.
 * @param port where the configuration lets it listen, on 127.0.0.1.
 */
export async function runNginx(prefix: string, config: string, port: number): Promise<Nginx> {
  const child = spawn('nginx', ['-p', prefix, '-c', config, '-g', `daemon off; pid ${prefix}/pid;`], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = new Promise<void>((resolve) => child.once('exit', () => resolve()));
  let output = '';
  child.stderr.on('data', (chunk: Buffer) => (output += chunk.toString()));
  // A test that fails to end it must not keep Jest from ending.
  letGo(child);
  // With its workers.
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
