import type { FastifyBaseLogger } from 'fastify';

export interface PollerOptions {
  /** `shouldContinue` returns whether to start another unit of work. */
  run: (shouldContinue: () => boolean) => Promise<void>;
  subject: string;
  every: number;
  log: Pick<FastifyBaseLogger, 'error'>;
}

/**
 * Runs now and every few seconds, without overlap. A failed run is logged, later ones only if the error
 * differs.
 * @returns stops it after the current unit of work.
 */
export function startPoller({ run, subject, every, log }: PollerOptions): () => Promise<void> {
  let stopped = false;
  let running: Promise<void> | null = null;
  let failing = '';
  const start = () => {
    running ??= run(() => !stopped)
      .then(() => '')
      .catch((error: unknown) => {
        if (String(error) !== failing) log.error({ err: error }, `could not work on ${subject}`);
        return String(error);
      })
      .then((problem) => {
        failing = problem;
        running = null;
      });
  };
  start();
  const timer = setInterval(start, every);
  timer.unref();
  return async () => {
    stopped = true;
    clearInterval(timer);
    await running;
  };
}
