export async function forEachSettled<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const problems: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw problems[0];
}

/**
 * Batches calls of `run`: one call at a time, and items that arrive in the meantime share the next call. A failure
 * rejects only its own items.
 */
export function inBatches<Item>(
  run: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let waiting: Item[] = [];
  let next: Promise<void> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function runNext(): Promise<void> {
    await last;
    const items = waiting;
    waiting = [];
    next = null;
    await run(items);
  }

  return (item) => {
    waiting.push(item);
    if (next === null) {
      next = runNext();
      last = next.catch(() => undefined);
    }
    return next;
  };
}

/**
 * Serializes and coalesces work. A call during a run gets the result of the next run, shared with all other waiting
 * calls: one running, one queued.
 */
export function oneAtATime<T>(work: () => Promise<T>): () => Promise<T> {
  let running: Promise<T> | null = null;
  let next: Promise<T> | null = null;
  const start = () => {
    next = null;
    const begun = work().finally(() => {
      if (running === begun) running = null;
    });
    running = begun;
    return begun;
  };
  return () => {
    // Queued but not started: the previous run may have just ended.
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start);
    return next;
  };
}

const LOOK_EVERY_MS = 2_000;

/** @returns a function that stops it after the current run. */
export type Poller = (look: () => Promise<void>, onProblem: (error: unknown) => void) => () => Promise<void>;

/** The delay starts when the previous run ends. */
export const everyTwoSeconds: Poller = (look, onProblem) => {
  let running = Promise.resolve();
  let timer: NodeJS.Timeout;
  let isOver = false;
  const later = () => {
    if (isOver) return;
    timer = setTimeout(() => {
      running = look().catch(onProblem).then(later);
    }, LOOK_EVERY_MS);
    timer.unref();
  };
  later();
  return () => {
    isOver = true;
    clearTimeout(timer);
    return running;
  };
};
