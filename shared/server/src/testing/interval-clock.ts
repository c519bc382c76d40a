/** A clock for tests of what runs at intervals: its time stands still, and `setInterval` fires only when it passes. */
export interface IntervalClock {
  now: () => number;
  /** Moves time on; what is due begins, and is not waited for. */
  pass(ms: number): void;
  /** Gives `setInterval` back. */
  restore(): void;
}

/** Fakes `setInterval` alone: databases need the other timers. */
export function fakeIntervals(start: string): IntervalClock {
  let time = Date.parse(start);
  jest.useFakeTimers({
    doNotFake: [
      'Date',
      'hrtime',
      'nextTick',
      'performance',
      'queueMicrotask',
      'setImmediate',
      'clearImmediate',
      'setTimeout',
      'clearTimeout',
    ],
  });
  return {
    now: () => time,
    pass(ms) {
      time += ms;
      jest.advanceTimersByTime(ms);
    },
    restore: () => void jest.useRealTimers(),
  };
}

/** A log for tests that can be waited for. */
export interface WatchedLog {
  info: (fields: object, message?: string) => void;
  error: (fields: object, message?: string) => void;
  debug: (fields: object, message?: string) => void;
  /** What was logged so far: level, message and fields. */
  lines: [level: string, message: string | undefined, fields: object][];
  /** Resolves as soon as there are `count` lines. */
  reached(count: number): Promise<void>;
}

export function watchedLog(): WatchedLog {
  const lines: WatchedLog['lines'] = [];
  const waiting: { count: number; resolve: () => void }[] = [];
  const write = (level: string) => (fields: object, message?: string) => {
    lines.push([level, message, fields]);
    for (const { count, resolve } of waiting) if (lines.length >= count) resolve();
  };
  return {
    info: write('info'),
    error: write('error'),
    debug: write('debug'),
    lines,
    reached: (count) =>
      new Promise((resolve) => {
        if (lines.length >= count) resolve();
        else waiting.push({ count, resolve });
      }),
  };
}
