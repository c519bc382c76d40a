import type { Challenge, Solution } from 'altcha-lib/types';

/**
 * Solves a captcha challenge in a worker, so that the page stays responsive. Null if that fails. The worker loads on
 * use, because most visitors send no form.
 */
export function solveInWorker(challenge: Challenge): Promise<Solution | null> {
  const worker = new Worker(new URL('./captcha-worker.ts', import.meta.url));
  return new Promise<Solution | null>((resolve) => {
    worker.addEventListener('message', ({ data }: MessageEvent<Solution | null>) => resolve(data));
    worker.addEventListener('error', () => resolve(null));
    worker.postMessage(challenge);
  }).finally(() => worker.terminate());
}
