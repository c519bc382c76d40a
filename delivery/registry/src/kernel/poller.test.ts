import { everyTwoSeconds } from './poller.ts';

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
