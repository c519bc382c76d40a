import { spawn, type ChildProcess } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { SandboxReply, SandboxRequest } from './sandbox/messages.ts';

const folder = fileURLToPath(new URL('./sandbox/', import.meta.url));

export interface SandboxLimits {
  timeoutMs: number;
  maxOldSpaceMb: number;
}

/** How an answer can fail to come. `exited` carries how the process ended. */
export type SandboxEnd =
  | { type: 'timeout' }
  | { type: 'out-of-memory' }
  | { type: 'exited'; how: string }
  | { type: 'unavailable'; cause: Error };

export interface Sandbox {
  /** Sends one request and waits for its answer, or for the process's end. Never rejects. */
  ask(request: SandboxRequest): Promise<SandboxReply | SandboxEnd>;
  /** Kills the process, whatever it is doing. */
  kill(): void;
}

/** Processes that must not outlive this one. */
const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** What the process needs beside the JavaScript heap: Node itself, compiled code, buffers in flight. */
const overheadMb = 256;
const memoryPollMs = 50;

/** Starts the child process. It may read its own folder and nothing else, and sees no environment. */
export function startSandbox({ timeoutMs, maxOldSpaceMb }: SandboxLimits): Sandbox {
  const child = spawn(
    process.execPath,
    [
      '--permission',
      `--allow-fs-read=${folder}`,
      `--max-old-space-size=${maxOldSpaceMb}`,
      `${folder}worker.ts`,
    ],
    { cwd: '/', env: {}, serialization: 'advanced', stdio: ['ignore', 'ignore', 'pipe', 'ipc'] },
  );

  let stderr = '';
  let end: SandboxEnd | null = null;
  let settle: (answer: SandboxReply | SandboxEnd) => void = () => undefined;
  const stop = (reason: SandboxEnd) => {
    end ??= reason;
    clearInterval(memoryWatch);
    child.kill('SIGKILL');
    settle(end);
  };

  // The heap limit does not count buffers; without this a page could take the machine's memory with them.
  const memoryWatch = setInterval(() => {
    void residentMb(child.pid).then((used) => {
      if (used > maxOldSpaceMb + overheadMb) stop({ type: 'out-of-memory' });
    });
  }, memoryPollMs);
  memoryWatch.unref();
  running.add(child);

  child.stderr?.on('data', (chunk: Buffer) => (stderr = (stderr + chunk.toString()).slice(-4000)));
  child.on('message', (reply: SandboxReply) => settle(reply));
  child.on('error', (cause) => stop({ type: 'unavailable', cause }));
  child.on('close', (code, signal) => {
    running.delete(child);
    const ranOut = stderr.includes('heap out of memory');
    stop(ranOut ? { type: 'out-of-memory' } : { type: 'exited', how: describeEnd(code, signal, stderr) });
  });

  return {
    ask: (request) =>
      new Promise((resolve) => {
        if (end) return resolve(end);
        const timer = setTimeout(() => stop({ type: 'timeout' }), timeoutMs);
        settle = (answer) => {
          clearTimeout(timer);
          settle = () => undefined;
          resolve(answer);
        };
        // A failure to send shows as the process's end, which the handlers above report.
        return child.send(request, () => undefined);
      }),
    kill: () => stop({ type: 'exited', how: 'was stopped by the composer' }),
  };
}

function describeEnd(code: number | null, signal: string | null, stderr: string): string {
  const lastWords = stderr.trim().split('\n').slice(-6).join('\n');
  return `ended the process with ${signal ?? `code ${code}`}${lastWords ? `:\n${lastWords}` : ''}`;
}

/** Resident memory of a process in MB; 0 where the system does not tell (it is then limited by its heap alone). */
async function residentMb(pid: number | undefined): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
