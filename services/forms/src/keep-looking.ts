import type { FastifyBaseLogger } from 'fastify';

/** Something that is looked at again and again. */
export interface KeepLookingOptions {
  /** One look; `goOn` says whether it may begin another piece of its work. */
  look: (goOn: () => boolean) => Promise<void>;
  /** What is looked at, for the log: "the outbox". */
  what: string;
  /** Milliseconds between two looks. */
  every: number;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Looks now and every few seconds, one look at a time. A look that fails is logged, and those after it only when they fail differently.
 *
 * @returns stops it, after the piece of work under way.
 */
export function keepLooking({ look, what, every, log }: KeepLookingOptions): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  let failing = '';
  const run = () => {
    running ??= look(() => !stopped)
      .then(() => '')
      .catch((error: unknown) => {
        if (String(error) !== failing) log.error({ err: error }, `could not work on ${what}`);
        return String(error);
      })
      .then((problem) => {
        failing = problem;
        running = null;
      });
  };
  run();
  const timer = setInterval(run, every);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
