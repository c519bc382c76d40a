import { spawn, type ChildProcess } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import type { Socket } from 'node:net';
import { join } from 'node:path';
import * as v from 'valibot';
import { versionLimits } from '@site/contract';
import { createFrameReader, encodeFrame } from './frames.ts';
import { findSandboxCommand, sandboxFlags } from './sandbox-command.ts';
import { SandboxReplySchema, type SandboxReply, type SandboxRequest } from './sandbox-messages.ts';

export interface SandboxLimits {
  timeoutMs: number;
  maxOldSpaceMb: number;
}

/** `exited` carries how the process ended. */
export type SandboxEnd =
  ['timeout'] | ['out-of-memory'] | ['exited', how: string] | ['unavailable', cause: Error];

export interface Sandbox {
  /** Waits for the response or the end of the process. Never rejects. */
  ask(request: SandboxRequest): Promise<SandboxReply | SandboxEnd>;
  kill(): void;
}

const running = new Set<ChildProcess>();
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')));

/** In addition to the JavaScript heap: Node itself, compiled code, buffers in flight. */
const OVERHEAD_MB = 256;
const MEMORY_POLL_MS = 50;
/** A response is one page; the limit for all pages of a version applies separately. */
const PAGE_LIMITS = { bytes: versionLimits.bytes + 1024 * 1024, parts: 8 };
/** Far above what Node prints when it crashes; nothing else writes there. */
const MAX_STDERR_BYTES = 1024 * 1024;

let code: string | null = null;

/** JavaScript as text, so that the process needs no permission to read files. */
export function workerCode(): string {
  code ??= stripTypeScriptTypes(readFileSync(join(import.meta.dirname, 'sandbox/worker.ts'), 'utf8'));
  return code;
}

export async function startSandbox(limits: SandboxLimits, workerSource = workerCode()): Promise<Sandbox> {
  const { timeoutMs, maxOldSpaceMb } = limits;
  const { wrap } = await findSandboxCommand();
  const heap = `--max-old-space-size=${maxOldSpaceMb}`;
  const [command = '', ...args] = wrap([process.execPath, ...sandboxFlags, heap, '--input-type=module', '-']);
  const child = spawn(command, args, {
    cwd: '/',
    env: {},
    stdio: ['pipe', 'ignore', 'pipe', 'pipe'],
    // Its own process group, because a signal to a group crosses namespaces.
    detached: true,
  });
  running.add(child);

  let consoleErrors = '';
  let complained = 0;
  let end: SandboxEnd | null = null;
  let asked: { id: string; settle: (answer: SandboxReply | SandboxEnd) => void } | null = null;
  const settle = (answer: SandboxReply | SandboxEnd) => {
    const question = asked;
    asked = null;
    question?.settle(answer);
  };
  const stop = (reason: SandboxEnd) => {
    end ??= reason;
    clearInterval(memoryWatch);
    child.kill('SIGKILL');
    settle(end);
  };

  // The heap limit does not count buffers; without this, a page could exhaust the machine's memory.
  const memoryWatch = setInterval(() => {
    void residentMb(child.pid).then((used) => {
      if (used > maxOldSpaceMb + OVERHEAD_MB) stop(['out-of-memory']);
    });
  }, MEMORY_POLL_MS);
  memoryWatch.unref();

  const [stdin, , stderr, channel] = child.stdio as unknown as [Socket, null, Socket, Socket];
  for (const stream of [stdin, stderr, channel]) stream.on('error', () => undefined);
  stdin.end(workerSource);
  stderr.on('data', (chunk: Buffer) => {
    consoleErrors = (consoleErrors + chunk.toString()).slice(-4000);
    complained += chunk.length;
    if (complained > MAX_STDERR_BYTES) stop(['exited', 'wrote without end to its standard error']);
  });
  const onFrame = ([id, ...parts]: Buffer[]) => {
    const reply = v.safeParse(
      SandboxReplySchema,
      parts.map((part) => part.toString()),
    );
    if (asked && id?.toString() === asked.id && reply.success) settle(reply.output);
    else stop(['exited', 'answered what was not asked']);
  };
  const onBroken = (problem: string) => stop(['exited', `answered with ${problem},`]);
  channel.on('data', createFrameReader(PAGE_LIMITS, onFrame, onBroken));

  child.on('error', (cause) => stop(['unavailable', cause]));
  child.on('close', (exitCode, signal) => {
    running.delete(child);
    const ranOut = consoleErrors.includes('heap out of memory');
    stop(ranOut ? ['out-of-memory'] : ['exited', describeEnd(exitCode, signal, consoleErrors)]);
  });

  return {
    ask: (request) =>
      new Promise((resolve) => {
        if (end) return resolve(end);
        const timer = setTimeout(() => stop(['timeout']), timeoutMs);
        // Unguessable, so only a reader of this request can respond to it.
        const id = randomUUID();
        asked = {
          id,
          settle: (answer) => {
            clearTimeout(timer);
            resolve(answer);
          },
        };
        return channel.write(encodeFrame([id, ...request]));
      }),
    kill: () => stop(['exited', 'was stopped by the composer']),
  };
}

function describeEnd(exitCode: number | null, signal: string | null, consoleErrors: string): string {
  const lastWords = consoleErrors.trim().split('\n').slice(-6).join('\n');
  return `ended the process with ${signal ?? `code ${exitCode}`}${lastWords ? `:\n${lastWords}` : ''}`;
}

/**
 * `unshare` waits for the process that it isolates: its child. 0 if the system does not report it (only the heap
 * limit applies then).
 */
async function residentMb(pid: number | undefined): Promise<number> {
  const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8').catch(() => '');
  const inner = /^\d+/.exec(children)?.[0] ?? pid;
  const status = await readFile(`/proc/${inner}/status`, 'utf8').catch(() => '');
  return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024;
}
