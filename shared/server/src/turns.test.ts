import { BusyError, createTurns } from './turns.ts';

function createWork() {
  const begun: number[] = [];
  const letGo: (() => void)[] = [];
  const work = (index: number) => () => {
    begun.push(index);
    return new Promise<number>((resolve) => (letGo[index] = () => resolve(index)));
  };
  return { begun, letGo, work };
}

test('work beyond the limit waits, and starts in order of arrival', async () => {
  const turns = createTurns({ atOnce: 2, atOncePerCaller: 2, waiting: 10, withinMs: 60_000 });
  const { begun, letGo, work } = createWork();
  const all = [0, 1, 2, 3].map((index) => turns.take('ada', work(index)));
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

test('failed work also releases its slot', async () => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 10, withinMs: 60_000 });
  const failed = turns.take('ada', () => Promise.reject(new Error('no')));
  const next = turns.take('ada', () => Promise.resolve('next'));
  await expect(failed).rejects.toThrow('no');
  expect(await next).toBe('next');
  expect(await turns.take('ada', () => Promise.resolve('later'))).toBe('later');
});

test('work is rejected immediately when the queue is full, and never starts', async () => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 1, withinMs: 60_000 });
  const { begun, letGo, work } = createWork();
  const all = [turns.take('ada', work(0)), turns.take('ada', work(1))];
  await expect(turns.take('ada', work(2))).rejects.toThrow(BusyError);
  letGo[0]?.();
  await all[0];
  letGo[1]?.();
  await all[1];
  expect(begun).toEqual([0, 1]);
});

test('work that waits too long is rejected and makes room for others', async () => {
  jest.useFakeTimers();
  try {
    const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 1, withinMs: 5_000 });
    const { begun, letGo, work } = createWork();
    const first = turns.take('ada', work(0));
    const late = expect(turns.take('ada', work(1))).rejects.toThrow('Not started within 5000 ms');
    jest.advanceTimersByTime(5_000);
    await late;
    const second = turns.take('ada', work(2));
    letGo[0]?.();
    await first;
    letGo[2]?.();
    await second;
    expect(begun).toEqual([0, 2]);
  } finally {
    jest.useRealTimers();
  }
});

test('the queue is fair between callers, however much one of them sends', async () => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 100, withinMs: 60_000 });
  const { begun, letGo, work } = createWork();
  const greedy = Array.from({ length: 5 }, (_, index) => turns.take('eve', work(index)));
  const modest = turns.take('ada', work(100));
  letGo[0]?.();
  await greedy[0];
  expect(begun).toEqual([0, 100]);
  letGo[100]?.();
  expect(await modest).toBe(100);
  for (const index of [1, 2, 3, 4]) {
    letGo[index]?.();
    await greedy[index];
  }
  expect(begun).toEqual([0, 100, 1, 2, 3, 4]);
});

test('slow work of one caller leaves slots for others', async () => {
  const turns = createTurns({ atOnce: 4, atOncePerCaller: 2, waiting: 100, withinMs: 60_000 });
  const { begun, letGo, work } = createWork();
  const slow = [0, 1, 2].map((index) => turns.take('eve', work(index)));
  expect(begun).toEqual([0, 1]);
  expect(await turns.take('ada', () => Promise.resolve('at once'))).toBe('at once');
  expect(begun).toEqual([0, 1]);
  letGo[0]?.();
  await slow[0];
  letGo[1]?.();
  letGo[2]?.();
  await Promise.all(slow);
});

test('a full queue drops the last work of the caller with the most', async () => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 3, withinMs: 60_000 });
  const { begun, letGo, work } = createWork();
  const [first, second, third, last] = [0, 1, 2, 3].map((index) => turns.take('eve', work(index)));
  const modest = turns.take('ada', work(100));
  await expect(last).rejects.toThrow(BusyError);
  await expect(turns.take('eve', work(4))).rejects.toThrow(BusyError);
  for (const [index, done] of [
    [0, first],
    [100, modest],
    [1, second],
    [2, third],
  ] as const) {
    letGo[index]?.();
    await done;
  }
  expect(begun).toEqual([0, 100, 1, 2]);
});

test.each([
  ['more than may wait', { waiting: 2 }],
  ['more of one than may wait of each', { waitingPerCaller: 2 }],
  ['more than those that wait may keep in memory', { bytes: 20 }],
  ['more than one may keep in memory', { bytesPerCaller: 20 }],
])('rejects %s, immediately', async (_what, limit) => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 100, ...limit });
  const ends = [turns.begin('eve', 10), turns.begin('eve', 10), turns.begin('eve', 10)];
  await expect(turns.begin('eve', 10)).rejects.toThrow(BusyError);
  for (const end of ends) (await end)();
});

test('large work of one caller leaves memory for the others, and completed work holds none', async () => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 100, bytes: 30, bytesPerCaller: 20 });
  for (let round = 0; round < 2; round += 1) {
    const ends = [turns.begin('eve', 10), turns.begin('eve', 10), turns.begin('eve', 10)];
    await expect(turns.begin('eve', 10)).rejects.toThrow('2 are waiting, 2 of them yours');
    ends.push(turns.begin('ada', 10));
    (await ends[0]!)();
    (await ends[3]!)();
    (await ends[1]!)();
    (await ends[2]!)();
    await turns.take('eve', () => Promise.resolve());
  }
});

test('memory is freed from callers with more in favor of callers with less', async () => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 100, bytes: 20 });
  const [first, second, last] = [turns.begin('eve'), turns.begin('eve', 10), turns.begin('eve', 10)];
  const modest = turns.begin('ada', 10);
  await expect(last).rejects.toThrow(BusyError);
  for (const end of [first, modest, second]) (await end)();
});

test('a slot is released once, however often release is called', async () => {
  const turns = createTurns({ atOnce: 1, atOncePerCaller: 1, waiting: 10 });
  const end = await turns.begin('eve');
  let begun = 0;
  const waiting = [1, 2].map(() => turns.begin('eve').then((over) => ((begun += 1), over)));
  end();
  end();
  (await waiting[0]!)();
  expect(begun).toBe(1);
  (await waiting[1]!)();
});
