import fastify, { type FastifyInstance } from 'fastify';
import { fakeIntervals, type IntervalClock } from '@site/server/testing/interval-clock';
import { MINUTE_MS } from '@site/server/durations';
import { keepAnchored } from './anchor-job.ts';

/** The hash of the log's last entry in the database. */
let head: string;
const anchorEnd = jest.fn<Promise<string | null>, []>();

let clock: IntervalClock;
let app: FastifyInstance;

beforeEach(async () => {
  clock = fakeIntervals('2026-01-01T00:00:00Z');
  head = 'entry 1';
  anchorEnd.mockReset().mockResolvedValue(null);
  app = fastify();
  void keepAnchored(app, { head: () => Promise.resolve(head), anchorEnd });
  app.all('/', () => 'done');
  await app.ready();
});

afterEach(async () => {
  await app.close();
  clock.restore();
});

/** The check after a request ends with its response: neither the log nor the anchors block here. */
const send = (method: 'GET' | 'POST') => app.inject({ method, url: '/' });

test('checks the anchors at startup, and after each request that adds to the log', async () => {
  await send('GET');
  expect(anchorEnd).toHaveBeenCalledTimes(1);
  head = 'entry 2';
  await send('POST');
  expect(anchorEnd).toHaveBeenCalledTimes(2);
});

test('requests that add nothing to the log cause no check', async () => {
  for (let more = 0; more < 3; more += 1) await send('POST');
  expect(anchorEnd).toHaveBeenCalledTimes(1);
});

test('checks every minute without requests, since log or anchors may have been rewritten', async () => {
  await send('POST');
  clock.pass(MINUTE_MS);
  await send('GET');
  expect(anchorEnd).toHaveBeenCalledTimes(2);
});

test.each([
  ['a log that does not follow from its anchors', () => Promise.resolve('The log was rewritten.')],
  ['a store that does not answer', () => Promise.reject(new Error('no store'))],
])('%s is checked again after the next request', async (_, looked) => {
  head = 'entry 2';
  anchorEnd.mockImplementationOnce(looked);
  await send('POST');
  await send('POST');
  await send('POST');
  // At startup, on detection, and once again.
  expect(anchorEnd).toHaveBeenCalledTimes(3);
});
