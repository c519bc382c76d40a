import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BusyError, createTurns } from '@site/server/turns';
import { ComposeError, appPlace } from './compose-error.ts';
import { ANSWER_LIMITS, readComposeAnswer, requestParts } from './composer-messages.ts';
import { TOTAL_MS, type ComposedPage, type Composer, type ComposeRequest } from './create-composer.ts';
import { createFrameReader, encodeFrame } from './frames.ts';

/** Restarted whenever it ends. */
export interface ComposerProcess extends Composer {
  close(): Promise<void>;
}

export interface ComposerProcessOptions {
  /**
   * Concurrent requests, each in its own process. Default: one per core, from 2 to 4, so that one client cannot
   * occupy all of them.
   */
  atOnce?: number | undefined;
}

const MEBIBYTE = 1024 * 1024;
/**
 * One token may queue at most the requests of one release with the largest allowed bundles: see `renderJobs` in the
 * registry.
 */
const QUEUE_LIMITS = {
  waiting: 200,
  waitingPerCaller: 64,
  bytes: 1024 * MEBIBYTE,
  bytesPerCaller: 256 * MEBIBYTE,
};
/** Extra time beyond a request's own limit before the process counts as hung. */
const GRACE_MS = 60_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** A process that runs for this long counts as started even without requests. */
const SETTLED_MS = 10_000;

interface Link {
  ask(request: ComposeRequest): Promise<ComposedPage[]>;
  /** With a description of how the process ended. */
  ended: Promise<string>;
  kill(): void;
}

/**
 * Requests queue in this process, so only running ones are lost when the composer dies: they are rejected as
 * `compose_unavailable`. A full queue rejects as `compose_busy`.
 */
export function startComposer({ atOnce }: ComposerProcessOptions = {}): ComposerProcess {
  const places = atOnce ?? Math.min(4, Math.max(2, availableParallelism()));
  const turns = createTurns({ ...QUEUE_LIMITS, atOnce: places, atOncePerCaller: Math.max(1, places - 1) });
  const closing = new AbortController();
  let hasAnswered = false;
  let delayMs = 0;
  /** How the last process ended, until its successor has proved to work. */
  let lastEnd: string | null = null;
  let settledAt = Infinity;
  let link = Promise.resolve(open());
  let running = true;

  function open(): Link {
    const opened = openLink();
    hasAnswered = false;
    settledAt = performance.now() + SETTLED_MS;
    void opened.ended.then((how) => {
      if (!running) return;
      lastEnd = how;
      settledAt = Infinity;
      // The first restart is immediate; exponential backoff while no request succeeds.
      delayMs = hasAnswered ? 0 : Math.min(LONGEST_DELAY_MS, Math.max(FIRST_DELAY_MS, delayMs * 2));
      link = sleep(delayMs, undefined, { signal: closing.signal }).then(open);
      link.catch(() => undefined);
    });
    return opened;
  }

  return {
    async compose(request) {
      const size = request.shell.length + request.remote.length;
      try {
        const work = async () => {
          const pages = await (await link).ask(request);
          hasAnswered = true;
          return pages;
        };
        return await turns.take(request.turn ?? '', work, size);
      } catch (error) {
        if (error instanceof ComposeError) {
          hasAnswered ||= error.code !== 'compose_unavailable';
          throw error;
        }
        const place = appPlace(request.app);
        if (error instanceof BusyError) {
          const problem = `cannot be rendered now: ${error.message}`;
          throw new ComposeError('compose_busy', place, problem, { cause: error });
        }
        throw new ComposeError(
          'compose_unavailable',
          place,
          'cannot be rendered: the registry is shutting down.',
          {
            cause: error,
          },
        );
      }
    },
    problem() {
      if (hasAnswered || performance.now() >= settledAt) lastEnd = null;
      return lastEnd === null ? null : `The composer's process ${lastEnd}; it is started again and again.`;
    },
    async close() {
      running = false;
      closing.abort();
      const last = await link.catch(() => null);
      last?.kill();
      await last?.ended;
    },
  };
}

function openLink(): Link {
  const pending = new Map<string, { app: string; settle: (answer: ComposedPage[] | ComposeError) => void }>();
  const child = spawn(
    process.execPath,
    // Strips the types from the sandbox's code.
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')],
    { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  );
  const channel = child.stdio[3] as Socket;
  const kill = () => void child.kill('SIGKILL');

  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`did not start (${error.message})`));
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`));
  });
  let end: string | null = null;
  void ended.then((how) => {
    end = how;
    for (const { app, settle } of pending.values()) settle(unavailable(app, how));
    pending.clear();
  });
  // The exit handler reports a dead process.
  channel.on('error', () => undefined);
  channel.on(
    'data',
    createFrameReader(
      ANSWER_LIMITS,
      (parts) => {
        const id = parts[0]?.toString() ?? '';
        const answer = readComposeAnswer(parts);
        const question = pending.get(id);
        if (!answer || !question) return kill();
        pending.delete(id);
        question.settle(answer);
      },
      kill,
    ),
  );

  return {
    ended,
    kill,
    async ask(request) {
      const id = randomUUID();
      const hung = setTimeout(kill, TOTAL_MS + GRACE_MS);
      const answer = await new Promise<ComposedPage[] | ComposeError>((settle) => {
        if (end !== null) return settle(unavailable(request.app, end));
        pending.set(id, { app: request.app, settle });
        channel.write(encodeFrame(requestParts(id, request)));
      });
      clearTimeout(hung);
      if (answer instanceof ComposeError) throw answer;
      return answer;
    },
  };
}

function unavailable(app: string, how: string): ComposeError {
  return new ComposeError(
    'compose_unavailable',
    appPlace(app),
    `was not rendered: the composer's process ${how}.`,
  );
}
