import { createAsk } from './client.ts';

let status = 200;
let body: unknown = {};
let headers: Record<string, string> = {};
const fetchBefore = globalThis.fetch;
const timeoutBefore = AbortSignal.timeout;

beforeEach(() => {
  AbortSignal.timeout = () => new AbortController().signal;
  globalThis.fetch = () =>
    Promise.resolve({
      ok: status < 400,
      status,
      headers: new Headers(headers),
      json: () => Promise.resolve(body),
      text: () => Promise.resolve(JSON.stringify(body)),
    } as Response);
});
afterEach(() => {
  globalThis.fetch = fetchBefore;
  AbortSignal.timeout = timeoutBefore;
});

const order = () =>
  createAsk(() => undefined)('freezeChannel', {
    params: { channel: 'production' },
    body: { reason: 'a test', dryRun: false },
  });

test.each([
  [409, 'version_not_live', 'refused'],
  [429, 'composer_busy', 'refused'],
  // The database or the registry stopped during the request: the change may have been made.
  [503, 'unavailable', 'no-answer'],
  [500, 'internal', 'no-answer'],
])('%i %s is %s', async (...[answered, code, failure]) => {
  status = answered;
  body = { errors: [{ code, detail: 'It says why.' }] };
  await expect(order()).rejects.toMatchObject({ failure });
});

test.each([500, 503, 502])('a failure with %i shows the request id of the log', async (answered) => {
  status = answered;
  headers = { 'x-request-id': 'r-7' };
  body = { errors: [{ code: 'unavailable', detail: 'It says why.' }] };
  await expect(order()).rejects.toThrow(`status ${answered}, request ID r-7`);
});

test.each([
  [429, { 'retry-after': '7' }, 7_000],
  [429, {}, 0],
  [503, { 'retry-after': '5' }, 5_000],
  [503, {}, undefined],
  [409, { 'retry-after': '5' }, undefined],
])('an error %i with %j says when to retry: %p', async (...[answered, sent, againAfterMs]) => {
  status = answered;
  headers = sent;
  body = { errors: [{ code: 'busy', detail: 'Too much at once.' }] };
  await expect(order()).rejects.toMatchObject({ failure: 'refused', againAfterMs });
});

test('a change that a read-only database rejected was not made', async () => {
  status = 503;
  headers = { 'retry-after': '5' };
  body = { errors: [{ code: 'database_read_only', detail: 'The database is read-only.' }] };
  await expect(order()).rejects.toMatchObject({ failure: 'refused', againAfterMs: 5_000 });
});

test('an error without a reason comes from a proxy', async () => {
  status = 503;
  body = 'Service Unavailable';
  await expect(order()).rejects.toMatchObject({ failure: 'no-answer' });
});

describe('an expired session', () => {
  let said: string[] = [];
  const over = () => {
    status = 401;
    body = { errors: [{ code: 'session_over', detail: 'The token was revoked.' }] };
  };
  const begin = () => {
    said = [];
    return createAsk((reason) => said.push(reason));
  };
  const freezing = { params: { channel: 'production' }, body: { reason: 'a test', dryRun: false } } as const;

  test('before a change says that it was not made', async () => {
    const ask = begin();
    over();
    await expect(ask('freezeChannel', freezing, 'k1')).rejects.toMatchObject({ failure: 'signed-out' });
    expect(said).toEqual([expect.stringMatching(/^The token was revoked\..* Your change was not made\.$/)]);
  });

  test('after a change without a response says that the outcome is unknown', async () => {
    const ask = begin();
    status = 504;
    await expect(ask('freezeChannel', freezing, 'k1')).rejects.toMatchObject({ failure: 'no-answer' });
    over();
    await expect(ask('freezeChannel', freezing, 'k1')).rejects.toMatchObject({ failure: 'signed-out' });
    await expect(ask('readSession', {})).rejects.toMatchObject({ failure: 'signed-out' });
    expect(said).toHaveLength(2);
    for (const each of said) expect(each).toMatch(/It is unknown whether your last change was made/);
  });

  test('during reads only says why', async () => {
    const ask = begin();
    over();
    await expect(ask('readSession', {})).rejects.toMatchObject({ failure: 'signed-out' });
    expect(said).toEqual([expect.not.stringContaining('order')]);
  });
});
