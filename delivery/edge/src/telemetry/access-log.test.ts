import { createAccessLog, type AccessEntry } from './access-log.ts';

const entry: AccessEntry = {
  requestId: '0190',
  method: 'GET',
  route: '/blocks',
  status: 200,
  bytes: 10,
  ms: 1,
  release: 'r1',
  kind: 'document',
  complete: true,
};

beforeEach(() => {
  jest.useFakeTimers();
});
afterEach(() => jest.useRealTimers());

function openLog() {
  const writes: number[] = [];
  const log = createAccessLog((text) => void writes.push(text.trimEnd().split('\n').length));
  return { log, writes };
}

test('200 lines are written immediately, with no empty write afterwards', () => {
  const { log, writes } = openLog();
  for (let count = 0; count < 199; count += 1) log.add(entry);
  expect(writes).toEqual([]);
  log.add(entry);
  expect(writes).toEqual([200]);
  jest.advanceTimersByTime(1_000);
  log.flush();
  expect(writes).toEqual([200]);
});

test('fewer lines are written together after a delay, repeatedly', () => {
  const { log, writes } = openLog();
  for (let time = 1; time <= 2; time += 1) {
    log.add(entry);
    log.add(entry);
    jest.advanceTimersByTime(1_000);
    expect(writes).toHaveLength(time);
  }
  expect(writes).toEqual([2, 2]);
});

test('pending lines are written at the end', () => {
  const { log, writes } = openLog();
  log.add(entry);
  log.flush();
  expect(writes).toEqual([1]);
});
