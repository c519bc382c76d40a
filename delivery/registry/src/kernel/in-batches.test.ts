import { inBatches } from './in-batches.ts';

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
