import { ConfigError } from './config.ts';
import { DatabaseError } from './database.ts';
import { isDiskFull } from './error-document.ts';
import { StartError } from './start-error.ts';
import { visibleText } from '@site/contract/visible-text';
import { PortError } from './start-server.ts';

/** What a process started, and how to stop it. */
export interface Running {
  close(): Promise<void>;
}

type ErrorClass = abstract new (...args: never[]) => Error;

const SAME_SIGNAL_MS = 1_000;
const CLOSE_WITHIN_MS = 15_000;
const START_WITHIN_MS = 5_000;

/**
 * The whole life of a server process: starts, stops on SIGTERM or Ctrl-C after finishing the requests under way, and
 * ends with 0; a second signal, or 15 s, ends it at once with 1. A signal during the start stops it as soon as it has
 * started, or after 5 s; what takes long in it can listen to `stopping` and give up with the signal's reason. A start that fails because of the configuration, the database, the port or
 * a full disk prints its message alone, anything else its stack, and ends with 1.
 *
 * @param expected more classes of errors that are not defects.
 *
 * @example
 * await runProcess(async () => startGateway({ … }));
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
  const stop = (): void => {
    // One Ctrl-C can come twice, from the terminal and passed on by a parent: only a later one means "at once".
    if (stopping && performance.now() - firstSignalAt < SAME_SIGNAL_MS) return;
    if (stopping) end(1);
    stopping = true;
    firstSignalAt = performance.now();
    given.abort();
    setTimeout(
      () => end(1, 'Not everything finished in time: stopped anyway.'),
      started ? CLOSE_WITHIN_MS : START_WITHIN_MS,
    ).unref();
    void starting
      .then((running) => running.close())
      .then(
        () => end(0),
        (error: unknown) =>
          gaveUp(error) ? end(0) : end(1, `The process did not stop cleanly: ${String(error)}`),
      );
  };
  // Before the start, so that no signal can come too early to be heard.
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
  const starting = start(given.signal);
  try {
    await starting;
    started = true;
  } catch (error) {
    if (gaveUp(error)) end(0);
    end(1, describeStartError(error, expected));
  }
}

/** The text for a person when a start fails: what was wrong and what to do, with a stack only when it is a defect. */
export function describeStartError(error: unknown, expected: readonly ErrorClass[] = []): string {
  const kinds = [StartError, ConfigError, DatabaseError, PortError, ...expected];
  if (kinds.some((kind) => error instanceof kind)) return (error as Error).message;
  if (isDiskFull(error))
    return `The disk is full (${(error as Error).message}). Free some space there, then start again.`;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
