import { createReleaseWatch } from './release-watch.ts';

function setUp(answers: (() => Promise<boolean>)[], isFresh = true) {
  let time = 0;
  let online = true;
  const fetchRevoked = jest.fn(() => answers.shift()!());
  const watch = createReleaseWatch({
    fetchRevoked,
    now: () => time,
    isOnline: () => online,
    isFresh,
  });
  return {
    ...watch,
    fetchRevoked,
    pass(ms: number) {
      time += ms;
    },
    setOnline(value: boolean) {
      online = value;
    },
  };
}

/** With fake timers: the answer must not depend on a timer. */
async function expectAtOnce(answer: Promise<boolean>, expected: boolean): Promise<void> {
  const told = jest.fn();
  void answer.then(told);
  await jest.advanceTimersByTimeAsync(0);
  expect(told).toHaveBeenCalledWith(expected);
}

const revoked = () => Promise.resolve(true);
const inForce = () => Promise.resolve(false);

test('a new tab sends no request', async () => {
  const { isRevoked, fetchRevoked, pass } = setUp([]);
  pass(29_999);
  expect(await isRevoked()).toBe(false);
  expect(fetchRevoked).not.toHaveBeenCalled();
});

test('clicks alone send a request at most every 30 seconds', async () => {
  const { isRevoked, fetchRevoked, pass } = setUp([inForce, inForce]);
  pass(30_000);
  await isRevoked();
  pass(10_000);
  await isRevoked();
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
  pass(20_000);
  await isRevoked();
  expect(fetchRevoked).toHaveBeenCalledTimes(2);
});

test('a newer release without a revocation does not affect the tab', async () => {
  const { isRevoked, pass } = setUp([inForce]);
  pass(30_000);
  expect(await isRevoked()).toBe(false);
});

test('a tab leaves a revoked release permanently', async () => {
  const { isRevoked, pass } = setUp([revoked]);
  pass(30_000);
  expect(await isRevoked()).toBe(true);
  expect(await isRevoked()).toBe(true);
});

test('offline, a tab leaves a revoked release at the next navigation with a network', async () => {
  const { isRevoked, pass, setOnline, fetchRevoked } = setUp([revoked]);
  pass(30_000);
  setOnline(false);
  expect(await isRevoked()).toBe(false);
  expect(fetchRevoked).not.toHaveBeenCalled();
  setOnline(true);
  expect(await isRevoked()).toBe(true);
  setOnline(false);
  expect(await isRevoked()).toBe(false);
  setOnline(true);
  expect(await isRevoked()).toBe(true);
});

test('an unreachable edge does not affect the tab', async () => {
  const { isRevoked, pass } = setUp([() => Promise.reject(new Error('offline'))]);
  pass(30_000);
  expect(await isRevoked()).toBe(false);
});

test('a slow edge does not delay the navigation', async () => {
  jest.useFakeTimers();
  const { isRevoked, pass } = setUp([() => new Promise(() => undefined)]);
  pass(30_000);
  const asked = isRevoked();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await asked).toBe(false);
  jest.useRealTimers();
});

test('a likely click requests the state in advance, and then does not wait', async () => {
  const { ask, isRevoked, fetchRevoked, pass } = setUp([revoked]);
  pass(30_000);
  ask();
  ask();
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
  expect(await isRevoked()).toBe(true);
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
});

test('a likely click finds a recent answer', async () => {
  const { ask, isRevoked, fetchRevoked, pass } = setUp([inForce, inForce]);
  pass(19_999);
  ask();
  expect(fetchRevoked).not.toHaveBeenCalled();
  pass(1);
  ask();
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
  pass(29_999);
  await isRevoked();
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
});

test('a click waits for a pending answer', async () => {
  let tell: ((isRevoked: boolean) => void) | undefined;
  const { ask, isRevoked, pass } = setUp([() => new Promise((resolve) => (tell = resolve))]);
  pass(30_000);
  ask();
  const asked = isRevoked();
  tell?.(true);
  expect(await asked).toBe(true);
});

test('a visitor who returns to the tab leaves a revoked release immediately, regardless of the time passed', async () => {
  const { returned, isRevoked, fetchRevoked } = setUp([revoked]);
  returned();
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
  expect(await isRevoked()).toBe(true);
});

test('a visitor who returns offline leaves a revoked release at the first click with a network', async () => {
  const { returned, isRevoked, pass, setOnline } = setUp([revoked]);
  setOnline(false);
  returned();
  pass(3_000);
  setOnline(true);
  expect(await isRevoked()).toBe(true);
});

test('a failed request is not an answer: the next click sends another one', async () => {
  const { ask, isRevoked, pass } = setUp([() => Promise.reject(new Error('502')), revoked]);
  pass(20_000);
  ask();
  await new Promise((resolve) => setTimeout(resolve));
  pass(29_000);
  expect(await isRevoked()).toBe(true);
});

test('a click does not wait while the last answer is recent', async () => {
  jest.useFakeTimers();
  const { ask, isRevoked, fetchRevoked, pass } = setUp([() => new Promise(() => undefined)]);
  pass(20_000);
  ask();
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
  await expectAtOnce(isRevoked(), false);
  jest.useRealTimers();
});

test('a cached document may belong to a revoked release: the first click sends a request', async () => {
  const { isRevoked } = setUp([revoked], false);
  expect(await isRevoked()).toBe(true);
});

test('a click sends its own request if the pending one fails', async () => {
  const { returned, isRevoked } = setUp([() => Promise.reject(new Error('network changed')), revoked]);
  returned();
  expect(await isRevoked()).toBe(true);
});

test('an unreachable edge gets no request per hovered link, and clicks do not wait for it each time', async () => {
  jest.useFakeTimers();
  const never = () => new Promise<never>(() => undefined);
  const { ask, isRevoked, fetchRevoked, pass } = setUp([never, never]);
  pass(30_000);
  ask();
  ask();
  const first = isRevoked();
  await jest.advanceTimersByTimeAsync(1_000);
  expect(await first).toBe(false);
  ask();
  expect(fetchRevoked).toHaveBeenCalledTimes(1);
  await expectAtOnce(isRevoked(), false);
  pass(2_000);
  ask();
  expect(fetchRevoked).toHaveBeenCalledTimes(2);
  jest.useRealTimers();
});

test('an answer to a request from before the visitor left is not a new one', async () => {
  let tell: ((isRevoked: boolean) => void) | undefined;
  const first = () => new Promise<boolean>((resolve) => (tell = resolve));
  const { ask, returned, isRevoked, pass } = setUp([
    first,
    () => Promise.reject(new Error('no network yet')),
    revoked,
  ]);
  pass(20_000);
  ask();
  pass(100);
  returned();
  tell!(false);
  await new Promise((resolve) => setTimeout(resolve));
  expect(await isRevoked()).toBe(true);
});
