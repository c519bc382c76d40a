import fastify, { type FastifyInstance } from 'fastify';
import { fakeIntervals, type IntervalClock } from '@site/server/testing/interval-clock';
import { MINUTE_MS } from '@site/server/durations';
import { keepAnchored } from './keep-anchored.ts';

/** Where the log ends, as the database has it. */
let head: string;
/** What the anchors are found to be, each time that they are looked at. */
const anchorEnd = jest.fn<Promise<string | null>, []>();

let clock: IntervalClock;
let app: FastifyInstance;

beforeEach(async () => {
  clock = fakeIntervals('2026-01-01T00:00:00Z');
  head = 'entry 1';
  anchorEnd.mockReset().mockResolvedValue(null);
  app = fastify();
  keepAnchored(app, { head: () => Promise.resolve(head), anchorEnd });
  app.all('/', () => 'done');
  await app.ready();
});

afterEach(async () => {
  await app.close();
  clock.restore();
});

/** A look that a request asks for has ended with its answer: neither the log nor the anchors keep anybody waiting here. */
const send = (method: 'GET' | 'POST') => app.inject({ method, url: '/' });

test('the anchors are looked at from the start, and again after a request that made the log grow', async () => {
  await send('GET');
  expect(anchorEnd).toHaveBeenCalledTimes(1);
  head = 'entry 2';
  await send('POST');
  expect(anchorEnd).toHaveBeenCalledTimes(2);
});

test('requests that add nothing to the log do not look for its anchors', async () => {
  for (let more = 0; more < 3; more += 1) await send('POST');
  expect(anchorEnd).toHaveBeenCalledTimes(1);
});

test('a minute later they are looked at without anybody asking: somebody may have rewritten log or anchors', async () => {
  await send('POST');
  clock.pass(MINUTE_MS);
  await send('GET');
  expect(anchorEnd).toHaveBeenCalledTimes(2);
});

test.each([
  ['a log that does not follow from its anchors', () => Promise.resolve('The log was rewritten.')],
  ['a store that does not answer', () => Promise.reject(new Error('no store'))],
])('%s is looked at again after the next request', async (_, looked) => {
  head = 'entry 2';
  anchorEnd.mockImplementationOnce(looked);
  await send('POST');
  await send('POST');
  await send('POST');
  // At the start, the one that found it, and once more.
  expect(anchorEnd).toHaveBeenCalledTimes(3);
});
