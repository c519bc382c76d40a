/**
 * Work that follows itself and never overlaps. A call while some is under way gets the result of the next run, which
 * begins after they asked, together with all others who wait for it: however many ask, it is done twice at most.
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
    // Asked for and not begun: the former run may be over, and this one still about to begin.
    if (next) return next;
    if (!running) return start();
    next = running.then(start, start);
    return next;
  };
}
