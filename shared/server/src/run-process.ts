import { ConfigError } from './config.ts';
import { DatabaseError } from './database.ts';
import { PortError } from './start-server.ts';

/** What a process started, and how to stop it. */
export interface Running {
  close(): Promise<void>;
}

const CLOSE_WITHIN_MS = 15_000;

/**
 * The whole life of a server process: starts, stops on SIGTERM or Ctrl-C after finishing the requests under way, and
 * ends with 0; a second signal, or 15 s, ends it at once with 1. A start that fails because of the configuration, the
 * database or the port prints its message alone, anything else its stack, and ends with 1.
 *
 * @example
 * await runProcess(async () => startGateway({ … }));
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  let running: Running;
  try {
    running = await start();
  } catch (error) {
    process.stderr.write(`${describeStartError(error)}\n`);
    process.exit(1);
  }
  let stopping = false;
  const stop = (): void => {
    if (stopping) process.exit(1);
    stopping = true;
    setTimeout(() => {
      process.stderr.write('Some requests did not finish in time: stopped anyway.\n');
      process.exit(1);
    }, CLOSE_WITHIN_MS).unref();
    running.close().then(
      () => process.exit(0),
      (error: unknown) => {
        process.stderr.write(`The process did not stop cleanly: ${String(error)}\n`);
        process.exit(1);
      },
    );
  };
  process.on('SIGTERM', stop);
  process.on('SIGINT', stop);
}

/** The text for a person when a start fails: what was wrong and what to do, with a stack only when it is a defect. */
export function describeStartError(error: unknown): string {
  if (error instanceof ConfigError || error instanceof DatabaseError || error instanceof PortError)
    return error.message;
  return error instanceof Error ? (error.stack ?? error.message) : String(error);
}
