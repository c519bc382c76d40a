import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

const MEMORY = { maxOldGenerationSizeMb: 512 };

/**
 * For work on a team's bytes, which would delay other requests.
 * @param module posts one message, made from `workerData`.
 * @returns null if it takes too long.
 */
export async function runInThread<Output>(
  module: URL,
  workerData: unknown,
  withinMs: number,
): Promise<Output | null> {
  const worker = new Worker(module, { workerData, resourceLimits: MEMORY });
  try {
    const [output] = (await once(worker, 'message', { signal: AbortSignal.timeout(withinMs) })) as [Output];
    return output;
  } catch (error) {
    if ((error as Error).name !== 'AbortError') throw error;
    return null;
  } finally {
    await worker.terminate();
  }
}
