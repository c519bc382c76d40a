import type { FastifyBaseLogger } from 'fastify';

export interface KeepLookingOptions {
  /** One run; `goOn` returns whether to start another unit of work. */
  look: (goOn: () => boolean) => Promise<void>;
  /** The subject for the log: "the outbox". */
  what: string;
  /** The interval in milliseconds. */
  every: number;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Runs now and every few seconds, without overlap. A failed run is logged, later ones only if the error
 * differs.
 * @returns stops it after the current unit of work.
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
