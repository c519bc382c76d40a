import { setTimeout as sleep } from 'node:timers/promises';
import { configureProxy } from '@site/contract/env-proxy';
import { stopTracing } from '@site/contract/tracing';
import { ConfigError } from './config.ts';
import { DatabaseError } from './database.ts';
import { isDiskFull } from './error-document.ts';
import { StartError } from './start-error.ts';
import { visibleText } from '@site/contract/text';
import { PortError } from './start-server.ts';

export interface Running {
  close(): Promise<void>;
  /** Reports "not ready"; the process serves for `drainSeconds` more, so that load balancers notice. */
  drain?(): void;
  drainSeconds?: number;
}

type ErrorClass = abstract new (...args: never[]) => Error;

const SAME_SIGNAL_MS = 1_000;
const CLOSE_WITHIN_MS = 15_000;
const START_WITHIN_MS = 5_000;

/**
 * Runs a server process: starts it, stops on SIGTERM (after `drain`) or Ctrl-C after completing active requests, and
 * exits with 0; a second signal, or a close that takes 15 s, exits with 1. A signal during startup stops the process
 * when it has started, or after 5 s; slow startup work can listen to `stopping`. If the start fails because of
 * configuration, database, port or disk, it prints only the message, otherwise the stack.
 * @param expected further error classes that are not bugs.
 * @example await runProcess(async () => startGateway({ … }));
 */
export async function runProcess(
  start: (stopping: AbortSignal) => Promise<Running>,
  expected: readonly ErrorClass[] = [],
): Promise<void> {
  let started = false;
  let stopping = false;
  const given = new AbortController();
  const gaveUp = (error: unknown) => given.signal.aborted && error === given.signal.reason;
  const end = (code: number, message?: string): never => {
    if (message !== undefined) process.stderr.write(`${visibleText(message)}\n`);
    process.exit(code);
  };
  let firstSignalAt = 0;
  const endAfter = (ms: number) =>
    setTimeout(() => end(1, 'Not everything finished in time; exiting anyway.'), ms).unref();
  const close = async (running: Running, signal: NodeJS.Signals): Promise<void> => {
    if (running.drainSeconds && signal === 'SIGTERM') {
      running.drain?.();
      await sleep(running.drainSeconds * 1_000);
    }
    endAfter(CLOSE_WITHIN_MS);
    await running.close();
    await stopTracing();
  };
  const stop = (signal: NodeJS.Signals): void => {
    // One Ctrl-C may arrive twice, from the terminal and forwarded by a parent: only a later one forces the
    // exit.
    if (stopping && performance.now() - firstSignalAt < SAME_SIGNAL_MS) return;
    if (stopping) end(1);
    stopping = true;
    firstSignalAt = performance.now();
    given.abort();
    const slowStart = started ? undefined : endAfter(START_WITHIN_MS);
    void starting
      .then((running) => {
        clearTimeout(slowStart);
        return close(running, signal);
      })
      .then(
        () => end(0),
        (error: unknown) =>
          gaveUp(error) ? end(0) : end(1, `The process did not shut down cleanly: ${String(error)}`),
      );
  };
  // Before the start, so that no early signal is missed.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  configureProxy(process.env);
  const starting = start(given.signal);
  try {
    await starting;
    started = true;
  } catch (error) {
    if (gaveUp(error)) end(0);
    end(1, describeStartError(error, expected));
  }
}

/** The message for a failed start: problem and remedy, with a stack only for bugs. */
export function describeStartError(error: unknown, expected: readonly ErrorClass[] = []): string {
  const kinds = [StartError, ConfigError, DatabaseError, PortError, ...expected];
  if (kinds.some((kind) => error instanceof kind)) return (error as Error).message;
  if (isDiskFull(error))
    return `The disk is full (${(error as Error).message}). Free some space there, then start again.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
