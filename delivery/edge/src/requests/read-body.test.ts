import { PassThrough } from 'node:stream';
import type { EdgeRequest } from '../server/listen.ts';
import { createBodyReader } from './read-body.ts';

const limits = { maxBytes: 10, maxConcurrent: 3, maxPerCaller: 2, withinMs: 60_000 };
const request = (headers: Record<string, string> = {}) => {
  const made = Object.assign(new PassThrough(), { headers });
  requests.push(made);
  return made;
};
type Sent = PassThrough & { headers: Record<string, string> };
const requests: Sent[] = [];

let read: (sent: Sent, caller?: string) => Promise<unknown>;
beforeEach(() => {
  const reader = createBodyReader(limits);
  read = (sent, caller = 'one') => reader(sent as unknown as EdgeRequest, caller);
});

afterEach(() => {
  for (const each of requests.splice(0)) each.destroy();
});

test('a body has at most as many bytes as the limit, whatever it announces', async () => {
  const sent = request();
  const body = read(sent);
  sent.write('12345');
  sent.end('67890');
  expect(String(await body)).toBe('1234567890');
  const longer = request();
  const refused = read(longer);
  longer.end('12345678901');
  expect(await refused).toBeNull();
  expect(await read(request({ 'content-length': '11' }))).toBeNull();
  const exact = request({ 'content-length': '10' });
  const accepted = read(exact);
  exact.end('1234567890');
  expect(String(await accepted)).toBe('1234567890');
});

test('a body that breaks off is none', async () => {
  const sent = request();
  const body = read(sent);
  sent.write('123');
  sent.destroy(new Error('a test'));
  expect(await body).toBeNull();
});

test('a caller, and all together, have a number of bodies under way, also after some have ended', async () => {
  const [first, second] = [request(), request()];
  const ended = read(first);
  void read(second);
  expect(await read(request())).toBe('network');
  first.end('x');
  expect(String(await ended)).toBe('x');
  void read(request());
  expect(await read(request())).toBe('network');
  void read(request(), 'two');
  expect(await read(request(), 'three')).toBe('full');
  second.end('y');
  await new Promise(setImmediate);
  const next = request();
  const body = read(next, 'three');
  expect(await read(request(), 'four')).toBe('full');
  next.end('z');
  expect(String(await body)).toBe('z');
});

test('a body that does not end in time is none', async () => {
  jest.useFakeTimers();
  try {
    const body = read(request());
    jest.advanceTimersByTime(60_000);
    expect(await body).toBeNull();
  } finally {
    jest.useRealTimers();
  }
});
