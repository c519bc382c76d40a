import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { endWithThisProcess, letGo } from './let-go.ts';

export interface ServiceProcess {
  url: string;
  /** Sends a signal and resolves to the exit code (null after SIGKILL) and standard error. */
  end(signal: 'SIGTERM' | 'SIGINT' | 'SIGKILL'): Promise<{ code: number | null; errors: string }>;
}

/** Runs `script` (relative to the repository) with only `env` as its environment, until it exits. */
export async function runToEnd(
  script: string,
  env: Record<string, string>,
): Promise<{ code: number | null; errors: string }> {
  return launch(script, env).ended;
}

/**
 * Starts `script` and resolves when it prints its URL.
 * @param says the text before the URL.
 * @throws Error with its standard error if it exits early.
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
  // A test that fails to end it must not keep Jest from exiting.
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
    env: { NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], DRAIN_SECONDS: '0', ...env },
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
