/**
 * Work that waits until there is room for it, in turn: who asks for much waits for who asks for little. Nobody has the last
 * free place beside their own work: what takes long, takes it from whoever asked for it.
 */
export interface FairQueue {
  /**
   * @param turn who asks. Each of those who wait gets one piece of work done, then the next of them.
   * @param bytes what the work keeps in memory while it waits.
   * @throws QueueFullError at once, when too much is waiting.
   */
  run<T>(turn: string, bytes: number, work: () => Promise<T>): Promise<T>;
}

export interface FairQueueLimits {
  /** How much is done at once. */
  atOnce: number;
  /** How many may wait, of all together and of each. */
  waiting: number;
  waitingEach: number;
  /** What those that wait may keep in memory, of all together and of each. */
  bytes: number;
  bytesEach: number;
}

export class QueueFullError extends Error {
  override name = 'QueueFullError';
}

interface Job {
  bytes: number;
  start(): void;
}

export function createFairQueue({
  atOnce,
  waiting,
  waitingEach,
  bytes,
  bytesEach,
}: FairQueueLimits): FairQueue {
  /** In the order in which it is their turn. */
  const lines = new Map<string, Job[]>();
  /** How much is being done for each. */
  const underWay = new Map<string, number>();
  const each = Math.max(1, atOnce - 1);
  let places = atOnce;
  let jobs = 0;
  let held = 0;

  const mayStart = (turn: string) => places > 0 && (underWay.get(turn) ?? 0) < each;

  function takePlace(turn: string): void {
    places -= 1;
    underWay.set(turn, (underWay.get(turn) ?? 0) + 1);
  }

  function leavePlace(turn: string): void {
    places += 1;
    const rest = (underWay.get(turn) ?? 0) - 1;
    if (rest > 0) underWay.set(turn, rest);
    else underWay.delete(turn);
  }

  function startNext(): void {
    for (const [turn, line] of lines) {
      if (!mayStart(turn)) continue;
      const job = line.shift();
      // Behind all others, or gone.
      lines.delete(turn);
      if (line.length > 0) lines.set(turn, line);
      if (!job) continue;
      jobs -= 1;
      held -= job.bytes;
      takePlace(turn);
      job.start();
      return;
    }
  }

  function admit(turn: string, size: number): Promise<void> {
    if (mayStart(turn)) {
      takePlace(turn);
      return Promise.resolve();
    }
    const line = lines.get(turn) ?? [];
    const heldByThem = line.reduce((sum, job) => sum + job.bytes, 0);
    const isTooMany = jobs >= waiting || line.length >= waitingEach;
    if (isTooMany || held + size > bytes || heldByThem + size > bytesEach) {
      throw new QueueFullError(`${jobs} pieces of work are waiting, ${line.length} of them yours`);
    }
    lines.set(turn, line);
    jobs += 1;
    held += size;
    return new Promise((resolve) => line.push({ bytes: size, start: resolve }));
  }

  return {
    async run(turn, size, work) {
      await admit(turn, size);
      try {
        return await work();
      } finally {
        leavePlace(turn);
        startNext();
      }
    },
  };
}
