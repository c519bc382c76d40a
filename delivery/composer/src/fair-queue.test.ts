import { createFairQueue, QueueFullError } from './fair-queue.ts';

const wide = { atOnce: 1, waiting: 100, waitingEach: 50, bytes: 1000, bytesEach: 1000 };

/** Work that ends when it is told to. */
function manualWork() {
  const started: string[] = [];
  const ends: (() => void)[] = [];
  const work = (name: string) => () => {
    started.push(name);
    return new Promise<void>((resolve) => ends.push(resolve));
  };
  /** Ends what was started, one after the other, until nothing starts any more. */
  const endAll = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    for (let end = ends.shift(); end; end = ends.shift()) {
      end();
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  return { started, work, endAll };
}

test('a flood of one does not hold up the others: each who waits has a turn', async () => {
  const { started, work, endAll } = manualWork();
  const queue = createFairQueue(wide);
  const all = [
    ...['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('a', 1, work(name))),
    queue.run('b', 1, work('b1')),
    queue.run('b', 1, work('b2')),
    queue.run('c', 1, work('c1')),
  ];
  await endAll();
  await Promise.all(all);
  expect(started).toEqual(['a1', 'a2', 'b1', 'c1', 'a3', 'b2', 'a4']);
});

test('does as much at once as it may, and no more', async () => {
  const { started, work, endAll } = manualWork();
  const queue = createFairQueue({ ...wide, atOnce: 2 });
  const all = ['1', '2', '3'].map((name) => queue.run(name, 1, work(name)));
  await Promise.resolve();
  expect(started).toEqual(['1', '2']);
  await endAll();
  await Promise.all(all);
  expect(started).toEqual(['1', '2', '3']);
  // All places are free again.
  await expect(queue.run('4', 1, () => Promise.resolve('done'))).resolves.toBe('done');
});

test('who asks for much never has all places: others begin at once, however long that work takes', async () => {
  const { started, work, endAll } = manualWork();
  const queue = createFairQueue({ ...wide, atOnce: 3 });
  const all = ['a1', 'a2', 'a3', 'a4'].map((name) => queue.run('a', 1, work(name)));
  all.push(queue.run('b', 1, work('b1')), queue.run('c', 1, work('c1')));
  await Promise.resolve();
  expect(started).toEqual(['a1', 'a2', 'b1']);
  await endAll();
  await Promise.all(all);
  expect([...started].sort()).toEqual(['a1', 'a2', 'a3', 'a4', 'b1', 'c1']);
});

test.each([
  ['more than may wait', { waiting: 2 }],
  ['more of one than may wait of each', { waitingEach: 2 }],
  ['more than those that wait may keep in memory', { bytes: 20 }],
  ['more than one may keep in memory', { bytesEach: 20 }],
])('refuses %s, at once', async (_what, limit) => {
  const { work, endAll } = manualWork();
  const queue = createFairQueue({ ...wide, ...limit });
  const all = [1, 2, 3].map(() => queue.run('a', 10, work('a')));
  await expect(queue.run('a', 10, work('a'))).rejects.toThrow(QueueFullError);
  await endAll();
  await Promise.all(all);
});

test('large work of one leaves the others their room in memory', async () => {
  const { work, endAll } = manualWork();
  const queue = createFairQueue({ ...wide, bytes: 30, bytesEach: 20 });
  const all = [1, 2, 3].map(() => queue.run('a', 10, work('a')));
  await expect(queue.run('a', 10, work('a'))).rejects.toThrow(QueueFullError);
  all.push(queue.run('b', 10, work('b')));
  await endAll();
  await Promise.all(all);
  // What has had its turn holds nothing any more.
  const again = [1, 2, 3].map(() => queue.run('a', 10, work('a')));
  await endAll();
  await Promise.all(again);
});

test('work that fails gives its place to the next', async () => {
  const queue = createFairQueue(wide);
  const failed = queue.run('a', 1, () => Promise.reject(new Error('broken')));
  const next = queue.run('b', 1, () => Promise.resolve('fine'));
  await expect(failed).rejects.toThrow('broken');
  await expect(next).resolves.toBe('fine');
});
