/** A fake clock for periodic work: `setInterval` fires only when the test advances the time. */
export interface IntervalClock {
  now: () => number;
  /** Advances the time; started work is not awaited. */
  pass(ms: number): void;
  restore(): void;
}

/** Fakes only `setInterval`, because databases need the other timers. */
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

export interface WatchedLog {
  info: (fields: object, message?: string) => void;
  error: (fields: object, message?: string) => void;
  debug: (fields: object, message?: string) => void;
  /** The lines so far: level, message and fields. */
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
