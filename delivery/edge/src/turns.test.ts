import { BusyError, createTurns } from './turns.ts';

/** Work that lasts until it is let go. */
function createWork() {
  const begun: number[] = [];
  const letGo: (() => void)[] = [];
  const work = (index: number) => () => {
    begun.push(index);
    return new Promise<number>((resolve) => (letGo[index] = () => resolve(index)));
  };
  return { begun, letGo, work };
}

test('what comes beyond the limit waits, and goes on in the order in which it came', async () => {
  const turns = createTurns({ atOnce: 2, waiting: 10, withinMs: 60_000 });
  const { begun, letGo, work } = createWork();
  const all = [0, 1, 2, 3].map((index) => turns.take(work(index)));
  expect(begun).toEqual([0, 1]);
  letGo[1]?.();
  expect(await all[1]).toBe(1);
  expect(begun).toEqual([0, 1, 2]);
  letGo[0]?.();
  await all[0];
  expect(begun).toEqual([0, 1, 2, 3]);
  letGo[2]?.();
  letGo[3]?.();
  expect(await Promise.all(all)).toEqual([0, 1, 2, 3]);
});

test('what fails hands its turn on, too', async () => {
  const turns = createTurns({ atOnce: 1, waiting: 10, withinMs: 60_000 });
  const failed = turns.take(() => Promise.reject(new Error('no')));
  const next = turns.take(() => Promise.resolve('next'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
  expect(await turns.take(() => Promise.resolve('later'))).toBe('later');
});

test('what finds the queue full is refused at once, and is never begun', async () => {
  const turns = createTurns({ atOnce: 1, waiting: 1, withinMs: 60_000 });
  const { begun, letGo, work } = createWork();
  const all = [turns.take(work(0)), turns.take(work(1))];
  await expect(turns.take(work(2))).rejects.toThrow(BusyError);
  letGo[0]?.();
  await all[0];
  letGo[1]?.();
  await all[1];
  expect(begun).toEqual([0, 1]);
});

test('what has waited for too long is refused, and makes room for others', async () => {
  jest.useFakeTimers();
  try {
    const turns = createTurns({ atOnce: 1, waiting: 1, withinMs: 5_000 });
    const { begun, letGo, work } = createWork();
    const first = turns.take(work(0));
    const late = expect(turns.take(work(1))).rejects.toThrow('No turn within 5000 ms');
    jest.advanceTimersByTime(5_000);
    await late;
    const second = turns.take(work(2));
    letGo[0]?.();
    await first;
    letGo[2]?.();
    await second;
    expect(begun).toEqual([0, 2]);
  } finally {
    jest.useRealTimers();
  }
});
