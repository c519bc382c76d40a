/** @jest-environment node */
import { createRequest, isFinal, type RequestOptions } from './request.ts';

type Fetch = typeof fetch;

/** Sends one request with this mocked response. Returns the answer and the sent request. */
async function send(answer: Fetch, url = 'https://api.example.com/guests', options?: RequestOptions) {
  const network = jest.fn(answer);
  const request = createRequest({
    services: [{ base: 'https://api.example.com/', appId: 'app' }],
    accessToken: () => ({ appId: 'stored', authToken: 'secret' }),
    document: { cookie: '', baseURI: 'https://www.example.com/home' },
    fetch: network,
  });
  const result = await request(url, options);
  const init = network.mock.calls[0]?.[1];
  return { result, init, headers: new Headers(init?.headers) };
}

const answering =
  (body: string, init: ResponseInit = {}): Fetch =>
  () =>
    Promise.resolve(new Response(body, init));

test('sends JSON with the headers of the request rules, follows no redirect and is not cached', async () => {
  const { init, headers } = await send(answering('{}'), undefined, { method: 'POST', body: { a: 1 } });
  expect(init).toMatchObject({ method: 'POST', body: '{"a":1}', redirect: 'error', cache: 'no-store' });
  expect(init?.signal).toBeInstanceOf(AbortSignal);
  expect(Object.fromEntries(headers)).toMatchObject({
    authorization: 'Bearer secret',
    appid: 'stored',
    'content-type': 'application/json',
  });
});

test('an anonymous request carries the configured app id and no token', async () => {
  const { headers } = await send(answering('{}'), undefined, { method: 'POST', body: {}, anonymous: true });
  expect(headers.get('appid')).toBe('app');
  expect(headers.has('authorization')).toBe(false);
});

test('another URL gets neither', async () => {
  const { headers } = await send(answering('{}'), 'https://api.example.com.evil.example/guests');
  expect(headers.has('appid')).toBe(false);
  expect(headers.has('authorization')).toBe(false);
});

test('reads data, headers and status of a JSON:API response', async () => {
  const { result } = await send(
    answering('{"data":{"id":"1"}}', {
      status: 201,
      statusText: 'Created',
      headers: { 'company-token': 't' },
    }),
  );
  expect(result).toMatchObject({
    ok: true,
    status: 201,
    statusText: 'Created',
    data: { id: '1' },
    errors: [],
  });
  expect(result.headers.get('company-token')).toBe('t');
});

test('reads the errors of a rejection', async () => {
  const { result } = await send(answering('{"errors":[{"code":"x"},null,7]}', { status: 422 }));
  expect(result).toMatchObject({ ok: false, status: 422, data: null, errors: [{ code: 'x' }] });
});

test.each(['', '<html>', 'null', '[]', '7', '{"errors":"none"}', '{"data":null}'])(
  'a response without contents (%j) is not a failure',
  async (body) => {
    const { result } = await send(answering(body, { status: 502 }));
    expect(result).toMatchObject({ ok: false, status: 502, data: null, errors: [] });
  },
);

test('a missing network yields status 0', async () => {
  const { result } = await send(() => Promise.reject(new TypeError('Failed to fetch')));
  expect(result).toMatchObject({ ok: false, status: 0, statusText: 'Not reached (TypeError)', errors: [] });
});

test('an aborted response yields status 0', async () => {
  const broken = new ReadableStream({ start: (controller) => controller.error(new TypeError('terminated')) });
  const { result } = await send(() => Promise.resolve(new Response(broken)));
  expect(result).toMatchObject({ ok: false, status: 0 });
});

test('a request without a response times out', async () => {
  const timeout = jest.spyOn(AbortSignal, 'timeout').mockReturnValue(AbortSignal.abort(new Error('late')));
  const { result } = await send((_url, init) => Promise.reject(init?.signal?.reason as Error));
  expect(timeout).toHaveBeenCalledWith(10_000);
  expect(result).toMatchObject({ ok: false, status: 0, statusText: 'No answer within 10 s' });
});

test('an invalid URL yields status 0', async () => {
  const { result } = await send(answering('{}'), 'https://:0:/');
  expect(result).toMatchObject({ ok: false, status: 0 });
});

test('a rejection of the request is final, a temporary failure is not', () => {
  expect([400, 401, 403, 404, 409, 410, 422].every(isFinal)).toBe(true);
  expect([0, 200, 408, 425, 429, 500, 502, 503].some(isFinal)).toBe(false);
});
