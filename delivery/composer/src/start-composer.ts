import { spawn } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { join } from 'node:path';
import type { Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { BusyError, createTurns } from '@site/server/turns';
import { ComposeError, appPlace } from './compose-error.ts';
import { ANSWER_LIMITS, isProgress, readComposeAnswer, requestParts } from './composer-messages.ts';
import type { ComposedPage, Composer, ComposeRequest } from './create-composer.ts';
import { createFrameReader, encodeFrame } from './frames.ts';

export interface ComposerProcess extends Composer {
  close(): Promise<void>;
}

export interface ComposerProcessOptions {
  /**
   * Concurrent requests, each in its own process. Default: one per core, from 2 to 4, so that one client cannot
   * occupy all of them.
   */
  atOnce?: number | undefined;
  /** Without progress for this long, a process is killed. */
  hungMs?: number;
}

const MEBIBYTE = 1024 * 1024;
/**
 * One owner may queue at most the requests of one release with the largest allowed bundles: see `renderJobs` in the
 * registry.
 */
const QUEUE_LIMITS = {
  waiting: 200,
  waitingPerCaller: 64,
  bytes: 1024 * MEBIBYTE,
  bytesPerCaller: 256 * MEBIBYTE,
};
/** A composer with a request reports progress every second. */
const HUNG_MS = 20_000;
const FIRST_DELAY_MS = 100;
const LONGEST_DELAY_MS = 10_000;
/** A process that runs for this long counts as started even without requests. */
const SETTLED_MS = 10_000;

interface Link {
  ask(request: ComposeRequest): Promise<ComposedPage[]>;
  ended: Promise<string>;
  kill(): void;
}

/** A process for one request at a time, so that the pages of one app never delay another's. */
interface Place {
  ask(request: ComposeRequest): Promise<ComposedPage[]>;
  problem(): string | null;
  close(): Promise<void>;
}

/**
 * Requests queue in this process, so only running ones are lost when a composer dies: they are rejected as
 * `compose_unavailable`. A full queue rejects as `compose_busy`.
 */
export function startComposer({ atOnce, hungMs = HUNG_MS }: ComposerProcessOptions = {}): ComposerProcess {
  const most = atOnce ?? Math.min(4, Math.max(2, availableParallelism()));
  const turns = createTurns({ ...QUEUE_LIMITS, atOnce: most, atOncePerCaller: Math.max(1, most - 1) });
  const places = [startPlace(hungMs)];
  const free = [...places];
  let running = true;

  const placeFor = (): Place => {
    if (!running) throw new Error('The composer was closed.');
    const place = free.pop() ?? startPlace(hungMs);
    if (!places.includes(place)) places.push(place);
    return place;
  };

  return {
    async compose(request) {
      const size = request.shell.length + request.remote.length;
      const work = async () => {
        const place = placeFor();
        try {
          return await place.ask(request);
        } finally {
          free.push(place);
        }
      };
      try {
        return await turns.take(request.turn ?? '', work, size);
      } catch (error) {
        if (error instanceof ComposeError) throw error;
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
      const problems = places.map((place) => place.problem());
      return problems.includes(null) ? null : (problems[0] ?? null);
    },
    async close() {
      running = false;
      await Promise.all(places.map((place) => place.close()));
    },
  };
}

function startPlace(hungMs: number): Place {
  const closing = new AbortController();
  let hasAnswered = false;
  let delayMs = 0;
  let lastEnd: string | null = null;
  let settledAt = Infinity;
  let link = Promise.resolve(open());

  function open(): Link {
    const opened = openLink(hungMs);
    hasAnswered = false;
    settledAt = performance.now() + SETTLED_MS;
    void opened.ended.then((how) => {
      if (closing.signal.aborted) return;
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
    async ask(request) {
      try {
        const pages = await (await link).ask(request);
        hasAnswered = true;
        return pages;
      } catch (error) {
        hasAnswered ||= error instanceof ComposeError && error.code !== 'compose_unavailable';
        throw error;
      }
    },
    problem() {
      if (hasAnswered || performance.now() >= settledAt) lastEnd = null;
      return lastEnd === null ? null : `The composer's process ${lastEnd}; it is started again and again.`;
    },
    async close() {
      closing.abort();
      const last = await link.catch(() => null);
      last?.kill();
      await last?.ended;
    },
  };
}

function openLink(hungMs: number): Link {
  let asked: { app: string; settle(answer: ComposedPage[] | ComposeError): void } | null = null;
  let hung: NodeJS.Timeout | undefined;
  let end: string | null = null;
  const child = spawn(
    process.execPath,
    // Strips the types from the sandbox's code.
    ['--disable-warning=ExperimentalWarning', join(import.meta.dirname, 'main.ts')],
    { cwd: '/', env: {}, stdio: ['ignore', 'ignore', 'inherit', 'pipe'] },
  );
  const channel = child.stdio[3] as Socket;
  const kill = () => void child.kill('SIGKILL');
  const settle = (answer: ComposedPage[] | ComposeError) => {
    clearTimeout(hung);
    const question = asked;
    asked = null;
    question?.settle(answer);
  };

  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(`did not start (${error.message})`));
    child.once('exit', (code, signal) => resolve(`ended with ${signal ?? `code ${code}`}`));
  });
  void ended.then((how) => {
    end = how;
    if (asked) settle(unavailable(asked.app, how));
  });
  channel.on('error', () => undefined);
  channel.on(
    'data',
    createFrameReader(
      ANSWER_LIMITS,
      (parts) => {
        if (isProgress(parts)) return void hung?.refresh();
        const answer = readComposeAnswer(parts);
        if (!answer || !asked) return kill();
        settle(answer);
      },
      kill,
    ),
  );

  return {
    ended,
    kill,
    async ask(request) {
      const { app } = request;
      const answer = await new Promise<ComposedPage[] | ComposeError>((resolve) => {
        if (end !== null) return resolve(unavailable(app, end));
        asked = { app, settle: resolve };
        hung = setTimeout(() => {
          settle(tooBusy(app, hungMs));
          kill();
        }, hungMs);
        channel.write(encodeFrame(requestParts(request)));
      });
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

function tooBusy(app: string, hungMs: number): ComposeError {
  return new ComposeError(
    'compose_page_timeout',
    appPlace(app),
    `has a page whose markup takes more than ${hungMs} ms to check.`,
  );
}
