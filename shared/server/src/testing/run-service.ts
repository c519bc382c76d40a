import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithThisProcess, letGo } from './let-go.ts';

/** A server running as a process of its own. */
export interface ServiceProcess {
  url: string;
  /** Sends a signal and resolves to the exit code (null after SIGKILL) and what was written to standard error. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<{ code: number | null; errors: string }>;
}

/** Runs `script` (from the root of the repository) with nothing but `env` in its environment, until it ends by itself. */
export async function runToEnd(
  script: string,
  env: Record<string, string>,
): Promise<{ code: number | null; errors: string }> {
  return launch(script, env).ended;
}

/**
 * Starts `script` and resolves once it says where it listens.
 *
 * @param says what it writes before the address.
 * @throws Error with what it wrote to standard error, when it ends before.
 */
export async function runService(
  script: string,
  env: Record<string, string>,
  says = 'listening on ',
): Promise<ServiceProcess> {
  const { child, ended } = launch(script, { PORT: '0', HOST: '127.0.0.1', LOG_LEVEL: 'silent', ...env });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const line = output
        .split('\n')
        .slice(0, -1)
        .find((written) => written.startsWith(says));
      if (line) resolve(line.slice(says.length));
    });
    void ended.then(({ code, errors }) => reject(new Error(`${script} ended with ${code}: ${errors}`)));
  });
  // A test that fails to end it must not keep Jest from ending.
  letGo(child);
  return {
    url,
    end: async (signal) => {
      child.ref();
      child.kill(signal);
      return ended;
    },
  };
}

function launch(script: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [join(process.cwd(), script)], {
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  endWithThisProcess(child);
  let errors = '';
  child.stderr.on('data', (chunk: Buffer) => (errors += chunk.toString()));
  const ended = new Promise<{ code: number | null; errors: string }>((resolve) => {
    child.once('close', (code) => resolve({ code, errors }));
  });
  return { child, ended };
}
