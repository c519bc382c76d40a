/** Too much at once: the caller is to try again. */
export class BusyError extends Error {
  override name = 'BusyError';
}

export interface TurnOptions {
  /** This much is under way at a time. */
  atOnce: number;
  /** This much of it for one caller: what is slow for one leaves room for the others. */
  atOncePerCaller: number;
  /** This much may wait for its turn; what comes then is refused, or what waits last of whoever waits for most. */
  waiting: number;
  /** What has waited for so long is refused. */
  withinMs: number;
}

/**
 * Work that waits for its turn, so that many at once do not become as many questions to somebody else. Callers take turns
 * with each other, however much one of them wants.
 */
export interface Turns {
  /** @throws BusyError when too much waits, or for too long; then the work has not begun. */
  take<T>(caller: string, work: () => Promise<T>): Promise<T>;
}

interface Waiting {
  go(): void;
  refuse(why: string): void;
}

interface Caller {
  underWay: number;
  /** The number of the turn that it had last; whoever had none for longest is next. */
  lastTurn: number;
  /** In the order in which they came. */
  queue: Set<Waiting>;
}

export function createTurns({ atOnce, atOncePerCaller, waiting, withinMs }: TurnOptions): Turns {
  /** Whoever has something under way or waiting. */
  const callers = new Map<string, Caller>();
  let underWay = 0;
  let waitingNow = 0;
  let turn = 0;

  const mayBegin = (caller: Caller) => underWay < atOnce && caller.underWay < atOncePerCaller;

  function begin(caller: Caller): void {
    underWay += 1;
    caller.underWay += 1;
    caller.lastTurn = ++turn;
  }

  function forgetIdle(name: string, caller: Caller): void {
    if (caller.underWay === 0 && caller.queue.size === 0) callers.delete(name);
  }

  function end(name: string, caller: Caller): void {
    underWay -= 1;
    caller.underWay -= 1;
    // Handed on at once, so that nobody who comes in that moment goes first.
    let next: Caller | null = null;
    for (const other of callers.values())
      if (other.queue.size > 0 && mayBegin(other) && (!next || other.lastTurn < next.lastTurn)) next = other;
    const [first] = next?.queue ?? [];
    if (next && first) {
      begin(next);
      first.go();
    }
    forgetIdle(name, caller);
  }

  /** @returns false when the newcomer itself is whoever waits for most. */
  function makeRoom(newcomer: Caller): boolean {
    let most = newcomer;
    for (const caller of callers.values()) if (caller.queue.size > most.queue.size) most = caller;
    if (most === newcomer) return false;
    [...most.queue].at(-1)?.refuse('Others, who wait for less, came.');
    return true;
  }

  function wait(name: string, caller: Caller): Promise<void> {
    if (waitingNow >= waiting && !makeRoom(caller)) {
      forgetIdle(name, caller);
      return Promise.reject(new BusyError(`${underWay} requests are under way, and ${waiting} are waiting.`));
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        clearTimeout(timer);
        caller.queue.delete(self);
        waitingNow -= 1;
      };
      const self: Waiting = {
        go() {
          leave();
          resolve();
        },
        refuse(why) {
          leave();
          forgetIdle(name, caller);
          reject(new BusyError(`${why} ${underWay} are under way.`));
        },
      };
      const timer = setTimeout(() => self.refuse(`No turn within ${withinMs} ms.`), withinMs).unref();
      caller.queue.add(self);
      waitingNow += 1;
    });
  }

  return {
    async take(name, work) {
      const caller = callers.get(name) ?? { underWay: 0, lastTurn: 0, queue: new Set<Waiting>() };
      callers.set(name, caller);
      if (mayBegin(caller)) begin(caller);
      else await wait(name, caller);
      try {
        return await work();
      } finally {
        end(name, caller);
      }
    },
  };
}
