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
