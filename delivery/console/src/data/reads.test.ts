import { CallError } from './call-error.ts';
import type { Ask } from './client.ts';
import { createReads } from './reads.ts';

let asked: string[] = [];
let fail: CallError | null = null;
let results: boolean[] = [];

const ask = ((name: string, sent: unknown) => {
  asked.push(`${name} ${JSON.stringify(sent)}`);
  return fail ? Promise.reject(fail) : Promise.resolve(asked.length);
}) as unknown as Ask;

const lost = new CallError('no-answer', 'no_answer', 'The registry does not answer.');
const refused = new CallError('refused', 'channel_unknown', 'There is no such channel.');
const settled = () => new Promise((resolve) => setTimeout(resolve, 0));

beforeEach(() => {
  asked = [];
  fail = null;
  results = [];
});

const make = () => createReads(ask, (answered) => results.push(answered));
const params = { params: { channel: 'production' } } as const;

test('two views of the same data share one request', async () => {
  const reads = make();
  reads.entry('readChannel', params).subscribe(() => undefined);
  reads.entry('readChannel', params).subscribe(() => undefined);
  await settled();
  expect(asked).toHaveLength(1);
});

test('a refresh reads only visible data', async () => {
  const reads = make();
  reads.entry('readChannel', params).subscribe(() => undefined);
  const leave = reads.entry('readGuard', params).subscribe(() => undefined);
  await settled();
  leave();
  expect(await reads.refresh()).toBe(true);
  expect(asked.slice(2)).toEqual(['readChannel {"params":{"channel":"production"}}']);
});

test('without a response the data stays, with the error next to it', async () => {
  const reads = make();
  const entry = reads.entry('readChannel', params);
  entry.subscribe(() => undefined);
  await settled();
  const { data } = entry.get();
  fail = lost;
  expect(await reads.refresh()).toBe(false);
  expect(entry.get()).toMatchObject({ data, error: lost });
  fail = null;
  expect(await reads.refresh()).toBe(true);
  expect(entry.get().error).toBeNull();
});

test('an error response counts as a response of the registry', async () => {
  fail = refused;
  const reads = make();
  reads.entry('readChannel', params).subscribe(() => undefined);
  await settled();
  expect(results).toEqual([true]);
  fail = lost;
  await reads.refresh();
  expect(results).toEqual([true, false]);
});

test('a change during a read causes exactly one further read', async () => {
  const answers: ((answer: string) => void)[] = [];
  const slow = (() => new Promise((resolve) => answers.push(resolve))) as unknown as Ask;
  const reads = createReads(slow, () => undefined);
  const entry = reads.entry('readChannel', params);
  entry.subscribe(() => undefined);
  const [one, two] = [reads.refresh(), reads.refresh()];
  answers[0]?.('before the change');
  await settled();
  expect(answers).toHaveLength(2);
  expect(entry.get().data).toBe('before the change');
  answers[1]?.('after it');
  await Promise.all([one, two]);
  expect(entry.get().data).toBe('after it');
  expect(answers).toHaveLength(2);
});

test('while a longer list loads, the shown part stays', async () => {
  const reads = make();
  const some = (limit: number, app = 'mfe-blocks') => reads.entry('listAudit', { query: { limit, app } });
  const leave = some(20).subscribe(() => undefined);
  await settled();
  const more = some(40);
  expect(more.get()).toEqual(some(20).get());
  expect(some(20, 'mfe-other').get().data).toBeUndefined();
  more.subscribe(() => undefined);
  leave();
  await settled();
  expect(more.get().data).toBe(2);
});
