import { inParallel } from './in-parallel.ts';

/** Work whose calls wait until released. */
function held() {
  const begun: number[] = [];
  const ends = new Map<number, { resolve: (value: string) => void; reject: (error: Error) => void }>();
  const work = (item: number) => {
    begun.push(item);
    return new Promise<string>((resolve, reject) => ends.set(item, { resolve, reject }));
  };
  const finish = async (item: number) => {
    ends.get(item)!.resolve(`done ${item}`);
    await new Promise(setImmediate);
  };
  return { begun, ends, work, finish };
}

test('at most `limit` calls run concurrently, and the results keep the order of the items', async () => {
  const { begun, work, finish } = held();
  const results = inParallel(2, [1, 2, 3], work);
  expect(begun).toEqual([1, 2]);
  await finish(2);
  expect(begun).toEqual([1, 2, 3]);
  await finish(3);
  await finish(1);
  expect(await results).toEqual(['done 1', 'done 2', 'done 3']);
});

test('after the first error no further call starts', async () => {
  const { begun, ends, work, finish } = held();
  const results = inParallel(2, [1, 2, 3, 4], work);
  ends.get(1)!.reject(new Error('away'));
  await expect(results).rejects.toThrow('away');
  await finish(2);
  expect(begun).toEqual([1, 2]);
});

test('an empty list resolves immediately', async () => {
  expect(await inParallel(3, [], () => Promise.reject(new Error('never')))).toEqual([]);
});
