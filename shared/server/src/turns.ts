/** Too much concurrent work: the caller should retry. */
export class BusyError extends Error {
  override name = 'BusyError';
}

export interface TurnLimits {
  atOnce: number;
  atOncePerCaller: number;
  waiting: number;
  waitingPerCaller?: number;
  bytes?: number;
  bytesPerCaller?: number;
  withinMs?: number;
}

/**
 * A fair queue, so that many callers do not become as many processes, or requests to another server. Callers
 * alternate, however much one of them sends. When the queue is full, the caller with the most work loses its
 * last.
 */
export interface Turns {
  take<T>(caller: string, work: () => Promise<T>, bytes?: number): Promise<T>;
  begin(caller: string, bytes?: number): Promise<() => void>;
}

interface Waiting {
  go(): void;
  refuse(why: string): void;
}

interface Caller {
  underWay: number;
  lastTurn: number;
  queue: Set<Waiting>;
  bytes: number;
}

export function createTurns(limits: TurnLimits): Turns {
  const { atOnce, atOncePerCaller, waiting, withinMs } = limits;
  const { waitingPerCaller = waiting, bytes: mostBytes = Infinity, bytesPerCaller = mostBytes } = limits;
  const callers = new Map<string, Caller>();
  let underWay = 0;
  let waitingNow = 0;
  let bytesNow = 0;
  let turn = 0;

  const mayBegin = (caller: Caller) => underWay < atOnce && caller.underWay < atOncePerCaller;

  function start(caller: Caller): void {
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
    // Passed on synchronously, so that no newcomer overtakes the queue.
    let next: Caller | null = null;
    for (const other of callers.values())
      if (other.queue.size > 0 && mayBegin(other) && (!next || other.lastTurn < next.lastTurn)) next = other;
    const [first] = next?.queue ?? [];
    if (next && first) {
      start(next);
      first.go();
    }
    forgetIdle(name, caller);
  }

  function makeRoom(newcomer: Caller, bytes: number): boolean {
    if (newcomer.queue.size >= waitingPerCaller || newcomer.bytes + bytes > bytesPerCaller) return false;
    while (waitingNow >= waiting || bytesNow + bytes > mostBytes) {
      let most = newcomer;
      for (const caller of callers.values()) if (caller.queue.size > most.queue.size) most = caller;
      if (most === newcomer) return false;
      [...most.queue].at(-1)?.refuse('It made room for callers with less in the queue.');
    }
    return true;
  }

  function wait(name: string, caller: Caller, bytes: number): Promise<void> {
    if (!makeRoom(caller, bytes)) {
      forgetIdle(name, caller);
      return Promise.reject(
        new BusyError(
          `${underWay} are under way and ${waitingNow} are waiting, ${caller.queue.size} of them yours.`,
        ),
      );
    }
    return new Promise((resolve, reject) => {
      const add = (count: 1 | -1) => {
        waitingNow += count;
        bytesNow += count * bytes;
        caller.bytes += count * bytes;
      };
      const leave = () => {
        clearTimeout(timer);
        caller.queue.delete(self);
        add(-1);
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
      const timer =
        withinMs === undefined
          ? undefined
          : setTimeout(() => self.refuse(`Not started within ${withinMs} ms.`), withinMs).unref();
      caller.queue.add(self);
      add(1);
    });
  }

  async function take<T>(name: string, work: () => Promise<T>, bytes = 0): Promise<T> {
    const caller = callers.get(name) ?? { underWay: 0, lastTurn: 0, queue: new Set<Waiting>(), bytes: 0 };
    callers.set(name, caller);
    if (mayBegin(caller)) start(caller);
    else await wait(name, caller, bytes);
    try {
      return await work();
    } finally {
      end(name, caller);
    }
  }

  return {
    take,
    begin(name, bytes) {
      return new Promise((begun, refused) => {
        take(name, () => new Promise<void>(begun), bytes).catch(refused);
      });
    },
  };
}
