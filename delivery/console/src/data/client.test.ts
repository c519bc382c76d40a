import { createAsk } from './client.ts';

/** What the registry answers to the next request. */
let status = 200;
let body: unknown = {};
const fetchBefore = globalThis.fetch;
const timeoutBefore = AbortSignal.timeout;

beforeEach(() => {
  AbortSignal.timeout = () => new AbortController().signal;
  globalThis.fetch = () =>
    Promise.resolve({
      ok: status < 400,
      status,
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
  [503, 'composer_busy', 'refused'],
  // The database or the registry went away in the middle: the change may have been made.
  [503, 'unavailable', 'no-answer'],
  [500, 'internal', 'no-answer'],
])('%i %s is %s', async (...[answered, code, failure]) => {
  status = answered;
  body = { errors: [{ code, detail: 'It says why.' }] };
  await expect(order()).rejects.toMatchObject({ failure });
});

test('what has no reason comes from somebody in between', async () => {
  status = 503;
  body = 'Service Unavailable';
  await expect(order()).rejects.toMatchObject({ failure: 'no-answer' });
});
