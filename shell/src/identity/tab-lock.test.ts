/** @jest-environment node */
import { locks } from 'node:worker_threads';
import { NEVER, Subject, VirtualTimeScheduler, defer, lastValueFrom, of, throwError, toArray } from 'rxjs';
import { createTabLock } from './tab-lock.ts';

// Node's Web Locks are the real thing; the tabs here are callers in one process.
const webLocks = locks as unknown as LockManager;
let lockName = 0;
const tabs = (count: number, scheduler?: VirtualTimeScheduler) => {
  const name = `test-lock-${(lockName += 1)}`;
  return Array.from({ length: count }, () => createTabLock(name, webLocks, scheduler));
};

/** Until everything that waits for a lock had its turn. */
const settled = () => new Promise((resolve) => setImmediate(resolve));

test('one tab at a time does its work, and each gets its turn', async () => {
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

test('a tab that is closed while it works frees the lock; one that is closed while it waits takes no turn', async () => {
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

test('behind a tab that hangs with the lock, the work is done without it in the end, once', async () => {
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

test('a lock that is granted too late does nothing more', async () => {
  const scheduler = new VirtualTimeScheduler();
  let grant: LockGrantedCallback<unknown> | undefined;
  // The grant was on its way when the wait was given up.
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

test('where locks are refused or unknown, the work is done without', async () => {
  const refusing = { request: () => Promise.reject(new DOMException('No', 'SecurityError')) };
  expect(await lastValueFrom(createTabLock('x', refusing).run(of('done')))).toBe('done');
  expect(await lastValueFrom(createTabLock('x', undefined).run(of('done')))).toBe('done');
});
