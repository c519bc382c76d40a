/** @jest-environment node */
import { locks } from 'node:worker_threads';
import { NEVER, Subject, VirtualTimeScheduler, defer, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { createTabLock } from './tab-lock.ts';

// Node's Web Locks are real. The tabs are callers in one process.
const webLocks = locks as unknown as LockManager;
let lockName = 0;
const tabs = (count: number, scheduler?: VirtualTimeScheduler) => {
  const name = `test-lock-${(lockName += 1)}`;
  return Array.from({ length: count }, () => createTabLock(name, webLocks, scheduler));
};

/** Resolves after all pending lock requests. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one tab works at a time, and each gets the lock', async () => {
  const log: string[] = [];
  const works = [new Subject<string>(), new Subject<string>()];
  const [first, second] = tabs(2);
  first?.run(works[0] ?? of('')).subscribe((value) => log.push(value));
  second?.run(works[1] ?? of('')).subscribe((value) => log.push(value));
  await settled();
  works[0]?.next('first');
  works[1]?.next('too early');
  works[0]?.complete();
  await settled();
  works[1]?.next('second');
  works[1]?.complete();
  expect(log).toEqual(['first', 'second']);
});

test('passes on values, completion and errors, and frees the lock after each', async () => {
  const [lock] = tabs(1);
  if (!lock) throw new Error('No lock.');
  expect(await lastValueFrom(lock.run(of(1, 2)).pipe(toArray()))).toEqual([1, 2]);
  await expect(lastValueFrom(lock.run(throwError(() => new Error('Defect'))))).rejects.toThrow('Defect');
  expect(await lastValueFrom(lock.run(of(3)))).toBe(3);
});

test('a tab closed while working frees the lock; a tab closed while waiting never gets it', async () => {
  const [closed, waiting, next] = tabs(3);
  const working = closed?.run(new Subject()).subscribe();
  await settled();
  const begun = jest.fn();
  const given = waiting?.run(of(1)).subscribe(begun);
  const done = lastValueFrom(next?.run(of('done')) ?? of(''));
  given?.unsubscribe();
  working?.unsubscribe();
  expect(await done).toBe('done');
  expect(begun).not.toHaveBeenCalled();
});

test('if another tab hangs with the lock, the work runs once without it', async () => {
  const scheduler = new VirtualTimeScheduler();
  const [hanging, waiting] = tabs(2, scheduler);
  const stuck = hanging?.run(new Subject()).subscribe();
  await settled();
  const values: number[] = [];
  waiting?.run(of(1)).subscribe((value) => values.push(value));
  await settled();
  expect(values).toEqual([]);
  scheduler.flush();
  expect(values).toEqual([1]);
  stuck?.unsubscribe();
  await settled();
  expect(values).toEqual([1]);
});

test('a lock granted too late has no effect', async () => {
  const scheduler = new VirtualTimeScheduler();
  let grant: LockGrantedCallback<unknown> | undefined;
  // The lock is granted after the wait has timed out.
  const late = {
    request: (_name: string, _options: unknown, callback?: LockGrantedCallback<unknown>) => {
      grant = callback;
      return new Promise<never>(() => undefined);
    },
  };
  const lock = createTabLock('x', late, scheduler);
  const begun = jest.fn();
  const work$ = defer(() => {
    begun();
    return NEVER;
  });
  lock.run(work$).subscribe();
  scheduler.flush();
  await grant?.(null);
  expect(begun).toHaveBeenCalledTimes(1);

  lock.run(work$).subscribe().unsubscribe();
  await grant?.(null);
  expect(begun).toHaveBeenCalledTimes(1);
});

test('without lock support, or if denied, the work runs without a lock', async () => {
  const refusing = { request: () => Promise.reject(new DOMException('No', 'SecurityError')) };
  expect(await lastValueFrom(createTabLock('x', refusing).run(of('done')))).toBe('done');
  expect(await lastValueFrom(createTabLock('x', undefined).run(of('done')))).toBe('done');
});
