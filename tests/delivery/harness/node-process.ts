import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { endWithThisProcess, letGo } from '@site/server/testing/let-go';

/** A server of this repository in a separate process that can be killed and restarted. */
export interface NodeProcess {
  /** Starts it and resolves when it listens. @throws Error with its output if it exits before. */
  start(): Promise<void>;
  /** Like `kill -9`. Does nothing if it is not running. */
  kill(): void;
  stop(): Promise<void>;
  /** The ids of its descendant processes. */
  children(of?: number): number[];
  /** The output since its last start. */
  output(): string;
  /** CPU time since its last start, in milliseconds. */
  processorMs(): number;
}

/**
 * @param script relative to the root of the repository.
 * @param ready the start of the line that it prints when it listens.
 */
export function createNodeProcess(script: string, env: Record<string, string>, ready: string): NodeProcess {
  let child: ChildProcess | null = null;
  let output = '';

  async function start(): Promise<void> {
    output = '';
    // Jest runs in the root of the repository.
    const started = spawn(process.execPath, [join(process.cwd(), script)], {
      env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], DRAIN_SECONDS: '0', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    child = started;
    endWithThisProcess(started);
    await new Promise<void>((resolve, reject) => {
      const read = (chunk: Buffer) => {
        output += chunk.toString();
        if (output.includes(ready)) resolve();
      };
      started.stdout.on('data', read);
      started.stderr.on('data', read);
      started.once('exit', (code) => {
        if (child === started) child = null;
        reject(new Error(`${script} ended with ${code}: ${output}`));
      });
    });
    // A test that fails to stop it must not keep Jest from exiting.
    letGo(started);
  }

  return {
    start,
    kill: () => {
      child?.kill('SIGKILL');
      child = null;
    },
    async stop() {
      if (!child) return;
      const ended = once(child, 'exit');
      child.ref();
      child.kill('SIGTERM');
      await ended;
    },
    children(of = child?.pid) {
      if (of === undefined) return [];
      const ids = readFileSync(`/proc/${of}/task/${of}/children`, 'utf8');
      return ids.trim().split(' ').filter(Boolean).map(Number);
    },
    output: () => output,
    processorMs() {
      // The 12th and 13th field after the name (which may contain anything), in hundredths of a second (`man
      // proc_pid_stat`).
      const [, fields = ''] = readFileSync(`/proc/${child?.pid}/stat`, 'utf8').split(/\)(?=[^)]*$)/);
      const [own = '0', ofSystem = '0'] = fields.trim().split(' ').slice(11, 13);
      return (Number(own) + Number(ofSystem)) * 10;
    },
  };
}
