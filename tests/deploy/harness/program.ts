import { execFile, spawn, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { endWithThisProcess, letGo } from '@site/server/testing/let-go';

export const run = promisify(execFile);

/** The commands that this machine lacks. */
export const missingOf = (commands: readonly string[]): string[] =>
  commands.filter((command) => spawnSync('sh', ['-c', `command -v ${command}`]).status !== 0);

export interface Program {
  /** Sends SIGTERM and waits for the exit. */
  stop(): Promise<void>;
}

/** Starts a program and resolves when it has printed `ready`. @throws Error with its output if it exits before. */
export async function startProgram(
  [command = '', ...args]: readonly string[],
  { ready, env = {} }: { ready: string; env?: Record<string, string> },
): Promise<Program> {
  const child = spawn(command, args, {
    env: { PATH: process.env['PATH'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child, 'SIGTERM');
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve));
  let output = '';
  await new Promise<void>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      if (output.includes(ready)) resolve();
    };
    child.stdout.on('data', read);
    child.stderr.on('data', read);
    child.once('error', reject);
    void ended.then((code) =>
      reject(new Error(`${command} ${args.join(' ')} ended with ${code}: ${output}`)),
    );
  });
  letGo(child);
  return {
    async stop() {
      child.ref();
      child.kill('SIGTERM');
      await ended;
    },
  };
}
