import type { Challenge, Solution } from 'altcha-lib/types';

/**
 * Solves a captcha's challenge in a worker, so that the page stays responsive; null when it cannot be solved. The worker
 * is fetched only now: most visitors send no form.
 */
export function solveInWorker(challenge: Challenge): Promise<Solution | null> {
  const worker = new Worker(new URL('./captcha-worker.ts', import.meta.url));
  return new Promise<Solution | null>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | null>) => resolve(data));
    worker.addEventListener('error', () => resolve(null));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
