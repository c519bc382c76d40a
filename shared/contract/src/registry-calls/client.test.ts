import * as v from 'valibot';
import type { Call } from './call.ts';
import { readAnswer, answerSchema, requestTo } from './client.ts';

const call = (more: object) =>
  ({
    method: 'POST',
    path: '/v1/apps/:app/files/*',
    params: {},
    query: {},
    body: null,
    answer: null,
    ...more,
  }) as unknown as Call;
const sent = (given: object) => given as never;

test('parameters are parts of the path, whatever they contain', () => {
  const params = { app: 'mfe/blöcks', '*': 'a b/c?d' };
  expect(requestTo(call({}), sent({ params }))).toEqual({
    method: 'POST',
    path: 'v1/apps/mfe%2Fbl%C3%B6cks/files/a%20b/c%3Fd',
    headers: {},
  });
  expect(requestTo(call({}), sent({})).path).toBe('v1/apps//files/');
});

test('a query contains only the given parameters', () => {
  const query = { app: 'mfe-blocks', limit: 3, dryRun: false, before: undefined };
  expect(requestTo(call({ path: '/v1/apps' }), sent({ query })).path).toBe(
    'v1/apps?app=mfe-blocks&limit=3&dryRun=false',
  );
});

test('a body is sent as JSON, or as it is with the type of the call', () => {
  const body = { name: 'a' };
  expect(requestTo(call({ body: v.object({ name: v.string() }) }), sent({ body }))).toMatchObject({
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(body),
  });
  const bytes = Buffer.from('bytes');
  const raw = requestTo(call({ body: 'application/x-tar' }), sent({ body: bytes }));
  expect(raw.headers).toEqual({ 'content-type': 'application/x-tar' });
  expect(raw.body).toBe(bytes);
});

test('a key is sent with a change that must happen once, and with no other call', () => {
  const requestHeaders = (once: boolean, key?: string) =>
    requestTo(call({ once }), sent({ headers: { a: 1 } }), key).headers;
  expect(requestHeaders(true, 'key-1')).toEqual({ a: '1', 'idempotency-key': 'key-1' });
  expect(requestHeaders(true)).toEqual({ a: '1' });
  expect(requestHeaders(false, 'key-1')).toEqual({ a: '1' });
});

test('an answer may have more than is known; a call without one answers nothing', () => {
  const known = call({ answer: v.strictObject({ name: v.string() }) });
  expect(readAnswer(known, { name: 'a', more: 1 })).toEqual({ name: 'a' });
  expect(() => readAnswer(known, { more: 1 })).toThrow(v.ValiError);
  expect(answerSchema(known)).toBe(answerSchema(known));
  expect(readAnswer(call({ answer: null }), undefined)).toBeUndefined();
  expect(() => readAnswer(call({ answer: 'application/x-tar' }), {})).toThrow(v.ValiError);
});
