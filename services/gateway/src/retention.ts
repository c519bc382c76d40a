import type { FastifyBaseLogger } from 'fastify';
import type { GuestsRepository } from './guests/guests.repository.ts';

const EVERY = 24 * 60 * 60 * 1000;

/**
 * Removes guests that have not visited for `retention` seconds, now and once a day. Several instances may do so at once.
 * Returns a function that stops it, after finishing what is under way.
 */
export function startRetention({
  guests,
  retention,
  log,
  now = Date.now,
}: {
  guests: Pick<GuestsRepository, 'removeIdleSince'>;
  retention: number;
  log: Pick<FastifyBaseLogger, 'info' | 'error'>;
  now?: () => number;
}): () => Promise<void> {
  let running = Promise.resolve();
  const run = () => {
    running = guests.removeIdleSince(new Date(now() - retention * 1000)).then(
      (removed) => log.info({ removed }, 'removed idle guests'),
      (error: unknown) => log.error({ err: error }, 'could not remove idle guests'),
    );
  };
  run();
  const timer = setInterval(run, EVERY);
  timer.unref();
  return async () => {
    clearInterval(timer);
    await running;
  };
}
