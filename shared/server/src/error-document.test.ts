import { ApiError } from './api-error.ts';
import { errorDocument, isDiskFull, toApiError } from './error-document.ts';
import { NoWritableServerError } from './postgres-servers.ts';

const failure = (fields: object, message = 'a test') => Object.assign(new Error(message), fields);

test.each<[unknown, number, string]>([
  [failure({ code: 'FST_ERR_CTP_BODY_TOO_LARGE', statusCode: 413 }), 413, 'body_too_large'],
  [failure({ code: 'FST_ERR_CTP_INVALID_MEDIA_TYPE', statusCode: 415 }), 415, 'media_type_unsupported'],
  [failure({ code: 'FST_ERR_CTP_INVALID_JSON_BODY' }), 400, 'body_not_json'],
  [failure({ code: 'FST_ERR_CTP_EMPTY_JSON_BODY' }), 400, 'body_not_json'],
  [failure({ code: 'FST_ERR_MAX_PARAM_LENGTH' }), 400, 'request_malformed'],
  [failure({ code: 'FST_ERR_HANDLER_TIMEOUT' }), 503, 'unavailable'],
  [failure({ code: '53100' }), 503, 'disk_full'],
  [failure({ code: '40P01' }), 503, 'unavailable'],
  [failure({ code: '40001' }), 503, 'unavailable'],
  [failure({ code: '57014' }), 503, 'unavailable'],
  [failure({ code: '25006' }), 503, 'database_read_only'],
  ...['08006', '53300', '57P01', 'ECONNREFUSED', 'EPIPE'].map((code): [unknown, number, string] => [
    failure({ code }),
    503,
    'unavailable',
  ]),
  [failure({}, 'Connection terminated unexpectedly'), 503, 'unavailable'],
  [failure({}, 'timeout exceeded when trying to connect'), 503, 'unavailable'],
  [failure({}, 'Client has encountered a connection error and is not queryable'), 503, 'unavailable'],
  // Unrelated messages with the same words.
  [failure({}, 'My Connection terminated'), 500, 'internal'],
  [failure({}, 'The Client is not queryable'), 500, 'internal'],
  [failure({ code: 'X08006' }), 500, 'internal'],
  [failure({ code: '23505' }), 500, 'internal'],
  [Object.assign(new SyntaxError('a test'), { statusCode: 400 }), 400, 'body_not_json'],
  [new SyntaxError('a test'), 500, 'internal'],
  [failure({ statusCode: 429 }), 429, 'rate_limited'],
  [failure({ statusCode: 503 }), 503, 'unavailable'],
  [failure({ statusCode: 399 }), 500, 'internal'],
  [failure({ statusCode: 400 }), 400, 'request_malformed'],
  [failure({ statusCode: 499 }), 400, 'request_malformed'],
  [failure({ statusCode: 500 }), 500, 'internal'],
  ['a text', 500, 'internal'],
  [null, 500, 'internal'],
])('%p is answered as %i %s', (thrown, status, code) => {
  const error = toApiError(thrown);
  expect([error.status, error.code]).toEqual([status, code]);
});

test('of database errors only those that stored nothing have Retry-After, which older clients read so', () => {
  const lost = [
    failure({ code: '08006' }),
    failure({}, 'Connection terminated'),
    new NoWritableServerError(),
  ];
  expect(lost.map((each) => toApiError(each).headers)).toEqual(lost.map(() => ({})));
  expect(toApiError(failure({ code: '25006' })).headers).toEqual({ 'retry-after': '5' });
});

test('an error of the interface stays as it is', () => {
  const error = toApiError(failure({ statusCode: 429 }));
  expect(toApiError(error)).toBe(error);
  expect(error).toBeInstanceOf(ApiError);
});

test.each([
  [failure({ code: '53100' }), true],
  [failure({ code: 'ENOSPC' }), true],
  [failure({ code: 'EDQUOT' }), true],
  [failure({ cause: failure({ cause: failure({ code: 'ENOSPC' }) }) }), true],
  [failure({ code: 'EACCES', cause: failure({ code: 'EIO' }) }), false],
  [undefined, false],
])('a full disk is distinguished from other failures: %p', (error, isFull) => {
  expect(isDiskFull(error)).toBe(isFull);
});

test('a document has an error for each field, or one, and the id of the request where there is one', () => {
  const error = toApiError(null);
  expect(errorDocument(error)).toEqual({
    errors: [{ status: '500', code: 'internal', title: error.title, detail: error.detail }],
  });
  expect(errorDocument(error, 'request-1')).toMatchObject({ meta: { requestId: 'request-1' } });
  const fields = [
    { pointer: '/data/one', detail: 'The first.' },
    { pointer: '/data/two', detail: 'The second.' },
  ];
  const withFields = Object.assign(toApiError(failure({ statusCode: 400 })), { fields });
  expect(errorDocument(withFields).errors).toMatchObject(
    fields.map(({ pointer, detail }) => ({ status: '400', detail, source: { pointer } })),
  );
});
