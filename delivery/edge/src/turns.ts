/** Too much at once: the caller answers "try again". */
export class BusyError extends Error {
  override name = 'BusyError';
}

export interface TurnOptions {
  /** This much is under way at a time. */
  atOnce: number;
  /** This much may wait for its turn; what comes then is refused. */
  waiting: number;
  /** What has waited for so long is refused. */
  withinMs: number;
}

/** Work that waits for its turn, so that many at once do not become as many questions to somebody else. */
export interface Turns {
  /** @throws BusyError when too much waits, or for too long; then the work has not begun. */
  take<T>(work: () => Promise<T>): Promise<T>;
}

export function createTurns({ atOnce, waiting, withinMs }: TurnOptions): Turns {
  /** In the order in which they came. */
  const queue = new Set<() => void>();
  let underWay = 0;

  function wait(): Promise<void> {
    if (queue.size >= waiting)
      return Promise.reject(new BusyError(`${underWay} are under way, and ${waiting} wait for their turn.`));
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        queue.delete(go);
        reject(new BusyError(`No turn within ${withinMs} ms: ${underWay} are under way.`));
      }, withinMs).unref();
      const go = () => {
        clearTimeout(timer);
        resolve();
      };
      queue.add(go);
    });
  }

  return {
    async take(work) {
      // Whoever ends hands its turn on, so that nobody who comes in that moment goes first.
      if (underWay < atOnce) underWay += 1;
      else await wait();
      try {
        return await work();
      } finally {
        const [next] = queue;
        if (next) {
          queue.delete(next);
          next();
        } else underWay -= 1;
      }
    },
  };
}
