import { everyTwoSeconds, inBatches, oneAtATime } from './scheduling.ts';

function setUp() {
  const calls: { items: readonly string[]; end: () => void; fail: (error: Error) => void }[] = [];
  const add = inBatches<string>(
    (items) => new Promise((resolve, reject) => calls.push({ items, end: resolve, fail: reject })),
  );
  const itemsOfCalls = () => calls.map(({ items }) => items);
  return { calls, add, itemsOfCalls };
}

test('items that arrive during a call share the next call', async () => {
  const { calls, add, itemsOfCalls } = setUp();
  const first = add('a');
  await new Promise(setImmediate);
  const others = Promise.all([add('b'), add('c')]);
  await new Promise(setImmediate);
  expect(itemsOfCalls()).toEqual([['a']]);
  calls[0]?.end();
  await first;
  await new Promise(setImmediate);
  expect(itemsOfCalls()).toEqual([['a'], ['b', 'c']]);
  calls[1]?.end();
  await others;
});

test('a failed call rejects only its own items', async () => {
  const { calls, add, itemsOfCalls } = setUp();
  const first = add('a');
  await new Promise(setImmediate);
  const second = add('b');
  calls[0]?.fail(new Error('The database is away.'));
  await expect(first).rejects.toThrow('The database is away.');
  await new Promise(setImmediate);
  expect(itemsOfCalls()).toEqual([['a'], ['b']]);
  calls[1]?.end();
  await second;
});

/** Work whose first run ends on demand and later ones after some steps, with counters of concurrent and total runs. */
function startWork() {
  let endFirst: (how: Promise<void>) => void = () => undefined;
  const first = new Promise<void>((resolve) => {
    endFirst = resolve;
  });
  const seen = { runs: 0, running: 0, most: 0 };
  const ask = oneAtATime(async () => {
    seen.runs += 1;
    seen.running += 1;
    seen.most = Math.max(seen.most, seen.running);
    const run = seen.runs;
    try {
      if (run === 1) await first;
      else for (let step = 0; step < 10; step += 1) await Promise.resolve();
      return run;
    } finally {
      seen.running -= 1;
    }
  });
  return { ask, endFirst, seen };
}

test('calls during a run share the next run, which starts after them', async () => {
  const { ask, endFirst, seen } = startWork();
  const answers = [ask(), ask(), ask()];
  expect(seen.runs).toBe(1);
  endFirst(Promise.resolve());
  expect(await Promise.all(answers)).toEqual([1, 2, 2]);
  expect(seen.runs).toBe(2);
});

test('calls between two runs share the next run', async () => {
  const { ask, endFirst, seen } = startWork();
  const answers = [ask(), ask()];
  endFirst(Promise.resolve());
  // At each step between the end of one run and the start of the next.
  while (seen.runs < 2) {
    answers.push(ask());
    await Promise.resolve();
  }
  expect(answers.length).toBeGreaterThan(3);
  const [first, ...others] = await Promise.all(answers);
  expect([first, ...new Set(others)]).toEqual([1, 2]);
  expect(seen).toEqual({ runs: 2, running: 0, most: 1 });
});

test('a failed run does not block the next', async () => {
  const { ask, endFirst } = startWork();
  const answers = [ask(), ask()];
  endFirst(Promise.reject(new Error('broken')));
  expect(await Promise.allSettled(answers)).toMatchObject([{ status: 'rejected' }, { value: 2 }]);
});

describe('everyTwoSeconds', () => {
  beforeEach(() => {
    jest.useFakeTimers({ doNotFake: ['nextTick', 'queueMicrotask'] });
  });
  afterEach(() => jest.useRealTimers());

  test('a failed run is reported, and others follow', async () => {
    const problems: unknown[] = [];
    let looks = 0;
    const end = everyTwoSeconds(
      () => Promise.reject(new Error(`look ${(looks += 1)}`)),
      (error) => problems.push((error as Error).message),
    );
    for (let time = 1; time <= 2; time += 1) {
      jest.advanceTimersByTime(2_000);
      for (let turn = 0; turn < 5; turn += 1) await Promise.resolve();
    }
    expect(problems).toEqual(['look 1', 'look 2']);
    await end();
  });

  test('stopping waits for the current run, and none follows', async () => {
    let finish: () => void = () => undefined;
    let looks = 0;
    const end = everyTwoSeconds(
      () => {
        looks += 1;
        return new Promise((resolve) => (finish = resolve));
      },
      () => undefined,
    );
    jest.advanceTimersByTime(2_000);
    const ended = end();
    finish();
    await ended;
    jest.advanceTimersByTime(10_000);
    expect(looks).toBe(1);
  });
});
