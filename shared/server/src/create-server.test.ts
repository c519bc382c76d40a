import { once } from 'node:events';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import * as v from 'valibot';
import { defineErrors } from './api-error.ts';
import { createServer } from './create-server.ts';
import { readErrors } from './testing/answers.ts';
import { startServer } from './start-server.ts';
import { parseBody } from './validate.ts';
import { nextEvent } from './testing/wait-for.ts';

const errors = defineErrors({ teapot: { status: 418, title: 'I am a teapot', remedy: 'Ask for tea.' } });

async function createTestServer(
  options: Partial<Parameters<typeof createServer>[0]> = {},
): Promise<FastifyInstance> {
  const app = await createServer({ name: 'test', bodyLimit: 1_000, ...options });
  app.get('/teapot', () => {
    throw errors.teapot('There is no coffee.', {
      source: { parameter: 'drink' },
      headers: { 'retry-after': '1' },
    });
  });
  app.get('/defect/:id', () => {
    throw Object.assign(new Error('boom'), { detail: 'Key (email)=(someone@example.com) already exists.' });
  });
  app.get('/away', () => {
    throw Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
  });
  app.get('/deadlock', () => {
    throw Object.assign(new Error('deadlock detected'), { code: '40P01' });
  });
  app.get('/full', () => {
    throw Object.assign(new Error('could not extend file "base/5/16384"'), { code: '53100' });
  });
  app.post('/body', (request) =>
    parseBody(v.object({ name: v.string(), 'a/b': v.array(v.object({ n: v.number() })) }), request.body),
  );
  return app;
}

let app: FastifyInstance;
beforeAll(async () => {
  app = await createTestServer({
    cors: { origins: ['https://site.example'], exposedHeaders: ['company-token'] },
  });
});
afterAll(() => app.close());

const json = { 'content-type': 'application/json' };

test('responds to a thrown error with a JSON:API document that states problem and remedy', async () => {
  const answer = await app.inject({ url: '/teapot', headers: { 'x-request-id': 'abc-1' } });
  expect(answer.statusCode).toBe(418);
  expect(answer.headers).toMatchObject({
    'content-type': 'application/vnd.api+json',
    'x-request-id': 'abc-1',
    'retry-after': '1',
  });
  expect(answer.json()).toEqual({
    errors: [
      {
        status: '418',
        code: 'teapot',
        title: 'I am a teapot',
        detail: 'There is no coffee. Ask for tea.',
        source: { parameter: 'drink' },
      },
    ],
    meta: { requestId: 'abc-1' },
  });
});

test('sends Strict-Transport-Security with every response', async () => {
  for (const url of ['/healthz', '/teapot', '/nowhere', '/%'])
    expect((await app.inject({ url })).headers['strict-transport-security']).toBe('max-age=31536000');
});

test('replaces a request id that could break a log line', async () => {
  const answer = await app.inject({ url: '/healthz', headers: { 'x-request-id': 'a "b" c' } });
  expect(answer.headers['x-request-id']).toMatch(/^[0-9a-f-]{36}$/);
});

test('points at every invalid field of a body', async () => {
  const answer = await app.inject({
    method: 'POST',
    url: '/body',
    payload: { 'a/b': [{ n: 1 }, { n: 'x' }] },
  });
  expect(answer.statusCode).toBe(422);
  const { errors: found } = answer.json<{ errors: { source: { pointer: string }; code: string }[] }>();
  expect(found.map((error) => [error.code, error.source.pointer])).toEqual([
    ['body_invalid', '/name'],
    ['body_invalid', '/a~1b/1/n'],
  ]);
});

test.each([
  ['no JSON', { headers: json, payload: '{"a":' }, 400, 'body_not_json'],
  ['an empty body', { headers: json, payload: '' }, 400, 'body_not_json'],
  ['a prototype in the JSON', { headers: json, payload: '{"__proto__":{}}' }, 400, 'body_not_json'],
  [
    'another media type',
    { headers: { 'content-type': 'text/plain' }, payload: 'a' },
    415,
    'media_type_unsupported',
  ],
  ['too much', { headers: json, payload: JSON.stringify('x'.repeat(2_000)) }, 413, 'body_too_large'],
  ['no object', { headers: json, payload: '3' }, 422, 'body_invalid'],
])('rejects %s', async (_title, request, status, code) => {
  const answer = await app.inject({ method: 'POST', url: '/body', ...request });
  expect([answer.statusCode, readErrors(answer)[0]?.code]).toEqual([status, code]);
});

test.each([
  [
    '/nowhere?token=secret',
    404,
    'route_not_found',
    'There is no GET /nowhere. Check the method and the path.',
  ],
  ['/%', 400, 'request_malformed', expect.any(String) as unknown],
  [`/defect/${'a'.repeat(600)}`, 400, 'request_malformed', expect.any(String) as unknown],
  ['/away', 503, 'unavailable', expect.any(String) as unknown],
  [
    '/deadlock',
    503,
    'unavailable',
    expect.stringMatching(/^There was a conflict with another request\./) as unknown,
  ],
  [
    '/full',
    503,
    'disk_full',
    expect.stringMatching(
      /^The disk of the database is full; nothing was stored\. Free some space there/,
    ) as unknown,
  ],
])('responds to GET %s with %d', async (url, status, code, detail) => {
  const answer = await app.inject({ url });
  expect(answer.statusCode).toBe(status);
  expect(readErrors(answer)[0]).toMatchObject({ code, detail });
});

test('errors are never cacheable, even on cacheable routes; other responses only if declared', async () => {
  const own = await createTestServer();
  own.get('/kept', (_request, reply) => reply.header('cache-control', 'public, max-age=60').send('x'));
  own.get('/kept/failing', (_request, reply) => {
    void reply.header('cache-control', 'public, max-age=31536000, immutable');
    throw new Error('boom');
  });
  const kept = async (url: string) => (await own.inject({ url })).headers['cache-control'];
  expect(await kept('/kept')).toBe('public, max-age=60');
  for (const url of ['/kept/failing', '/teapot', '/away', '/nowhere', '/%', '/healthz', '/metrics'])
    expect([url, await kept(url)]).toEqual([url, 'no-store']);
  expect(await kept(`/defect/${'a'.repeat(600)}`)).toBe('no-store');
  await own.close();
});

test("logs a bug with its request id, without visitors' ids and database values", async () => {
  const lines: string[] = [];
  const logging = await createTestServer({
    logLevel: 'info',
    logStream: { write: (line) => void lines.push(line) },
  });
  const answer = await logging.inject({ url: '/defect/visitor-7', headers: { 'x-request-id': 'r-7' } });
  await logging.close();
  expect(answer.statusCode).toBe(500);
  expect(answer.body).not.toContain('boom');
  expect(lines.join('')).not.toMatch(/visitor-7|someone@example/);
  expect(lines.map((line) => JSON.parse(line) as object)).toEqual([
    expect.objectContaining({
      ...{ level: 'error', name: 'test', requestId: 'r-7', route: '/defect/:id', code: 'internal' },
      err: expect.objectContaining({ message: 'boom' }) as unknown,
    }),
    expect.objectContaining({ level: 'info', requestId: 'r-7', route: '/defect/:id', status: 500 }),
  ]);
});

test('lets pages of the configured origins read its responses, including errors, and no others', async () => {
  const ask = (origin: string) => app.inject({ url: '/teapot', headers: { origin } });
  const allowed = await ask('https://site.example');
  expect(allowed.headers['access-control-allow-origin']).toBe('https://site.example');
  expect(allowed.headers['access-control-expose-headers']).toContain('company-token');
  expect((await ask('https://site.example.evil')).headers['access-control-allow-origin']).toBeUndefined();
});

test('lets no page of any origin read operator calls', async () => {
  const headers = { origin: 'https://site.example', 'access-control-request-method': 'GET' };
  for (const method of ['GET', 'OPTIONS'] as const) {
    const answer = await app.inject({ method, url: '/admin/visitors/x', headers });
    expect(answer.statusCode).toBe(404);
    expect(answer.headers['access-control-allow-origin']).toBeUndefined();
    // Paths with the same prefix.
    const named = await app.inject({ method, url: '/administrators', headers });
    expect(named.headers['access-control-allow-origin']).toBe('https://site.example');
    const open = await app.inject({ method, url: '/teapot', headers });
    expect(open.headers['access-control-allow-origin']).toBe('https://site.example');
  }
});

test.each([
  [0, '10.1.1.1'],
  [1, '10.0.0.2'],
  [2, '203.0.113.9'],
  [['10.0.0.0/8'], '203.0.113.9'],
  [['10.1.1.1', '192.0.2.1'], '10.0.0.2'],
])('with the trusted proxies %j, the client is %s, whatever else is claimed', async (trustProxy, caller) => {
  const behind = await createTestServer({ trustProxy });
  behind.get('/ip', (request) => ({ ip: request.ip }));
  const answer = await behind.inject({
    url: '/ip',
    remoteAddress: '10.1.1.1',
    // The first entry is forged by the client, the second is from the outer proxy, the third from the inner
    // one.
    headers: { 'x-forwarded-for': '198.51.100.66, 203.0.113.9, 10.0.0.2' },
  });
  expect(answer.json()).toEqual({ ip: caller });
  await behind.close();
});

test.each(['203.0.113.7:50001', '"203.0.113.7:2"', '198.51.100.66, [::ffff:203.0.113.7]:3'])(
  'with the entry %s, the client is an address without a port',
  async (forwarded) => {
    const behind = await createTestServer({ trustProxy: 1 });
    behind.get('/ip', (request) => ({ ip: request.ip }));
    const answer = await behind.inject({ url: '/ip', headers: { 'x-forwarded-for': forwarded } });
    expect(answer.json()).toEqual({ ip: '203.0.113.7' });
    await behind.close();
  },
);

test('is alive but not ready while its dependencies fail', async () => {
  let broken = true;
  const unready = await createTestServer({
    ready: () => (broken ? Promise.reject(new Error('no')) : Promise.resolve()),
  });
  expect((await unready.inject('/healthz')).statusCode).toBe(200);
  const state = async () => {
    const { statusCode, headers } = await unready.inject('/readyz');
    return [statusCode, headers['retry-after']];
  };
  expect(await state()).toEqual([503, '5']);
  broken = false;
  expect(await state()).toEqual([200, undefined]);
  await unready.close();
});

test('counts responses by route, not by path', async () => {
  await app.inject('/defect/visitor-8');
  const metrics = (await app.inject('/metrics')).body;
  expect(metrics).toContain(
    'http_request_duration_seconds_count{server="test",method="GET",route="/defect/:id",status="500"',
  );
  expect(metrics).not.toContain('visitor-8');
});

describe('on a real socket', () => {
  const readText = (socket: Socket) =>
    new Promise<string>((resolve) => {
      let text = '';
      socket.on('data', (chunk: Buffer) => (text += chunk.toString()));
      socket.on('close', () => resolve(text));
    });
  function talk(port: number, sent: string): Promise<string> {
    const socket = connect(port, '127.0.0.1', () => socket.write(sent));
    return readText(socket);
  }

  test.each([
    [
      'headers without end',
      `GET / HTTP/1.1\r\nhost: a\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'headers_too_large',
    ],
    ['something that is no HTTP', 'HELLO\r\n\r\n', 400, 'request_malformed'],
  ])('responds to %s with a JSON:API error', async (_title, sent, status, code) => {
    const own = await createTestServer();
    const { port, close } = await startServer(own, { port: 0, host: '127.0.0.1' });
    const answer = await talk(port, sent);
    await close();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^cache-control: no-store\r$/m);
    expect(answer.includes('clear-site-data: "cookies"')).toBe(status === 431);
    expect(JSON.parse(answer.split('\r\n\r\n')[1] as string)).toMatchObject({ errors: [{ code }] });
  });

  test.each([
    ['names no host', 'GET /healthz HTTP/1.1\r\nconnection: close\r\n\r\n', 400],
    [
      'expects something',
      'GET /healthz HTTP/1.1\r\nhost: a\r\nexpect: wonders\r\nconnection: close\r\n\r\n',
      417,
    ],
    ['is HEAD', 'HEAD /nowhere HTTP/1.1\r\nhost: a\r\nconnection: close\r\n\r\n', 404],
  ])('forbids caching of rejections before routing, because it %s', async (_title, sent, status) => {
    const own = await createTestServer();
    const { port, close } = await startServer(own, { port: 0, host: '127.0.0.1' });
    const answer = await talk(port, sent);
    await close();
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^cache-control: no-store\r$/m);
  });

  test('forbids caching of rejections during shutdown', async () => {
    const own = await createTestServer();
    let release = () => {};
    const arrived = new Promise<void>((resolve) => {
      own.get('/slow', async () => {
        resolve();
        await new Promise<void>((go) => (release = go));
        return 'done';
      });
    });
    const { port, close } = await startServer(own, { port: 0, host: '127.0.0.1' });
    const socket = connect(port, '127.0.0.1');
    const answers = readText(socket);
    socket.write('GET /slow HTTP/1.1\r\nhost: a\r\n\r\n');
    await arrived;
    const closed = close();
    const second = nextEvent(own.server, 'request');
    // On the same connection, because new ones are rejected.
    socket.write('GET /healthz HTTP/1.1\r\nhost: a\r\n\r\n');
    await second;
    release();
    await closed;
    const [, refused] = (await answers).split(/(?=HTTP\/1.1 503)/);
    expect(refused).toMatch(/^HTTP\/1.1 503 [^]*^cache-control: no-store\r$/m);
  });

  test('reports a port that is in use', async () => {
    const first = await startServer(await createTestServer(), { port: 0, host: '127.0.0.1' });
    await expect(
      startServer(await createTestServer(), { port: first.port, host: '127.0.0.1' }),
    ).rejects.toThrow(
      `Port ${first.port} is in use: stop the program that uses it, or set PORT to another port.`,
    );
    await first.close();
  });

  test('localhost is both loopback addresses, and a port in use at either one is reported', async () => {
    const running = await startServer(await createTestServer(), { port: 0, host: 'localhost' });
    for (const host of ['127.0.0.1', '[::1]'])
      expect((await fetch(`http://${host}:${running.port}/healthz`)).status).toBe(200);
    await running.close();

    const blocker = createTcpServer().listen(running.port, '::1');
    await once(blocker, 'listening');
    await expect(
      startServer(await createTestServer(), { port: running.port, host: 'localhost' }),
    ).rejects.toThrow(`Port ${running.port} is in use`);
    blocker.close();
  });

  test('keeps idle connections longer than common load balancers', async () => {
    const running = await startServer(await createTestServer(), { port: 0, host: '127.0.0.1' });
    expect((await fetch(`${running.url}/healthz`)).headers.get('keep-alive')).toBe('timeout=80');
    await running.close();
    const longer = await startServer(await createTestServer(), {
      port: 0,
      host: '127.0.0.1',
      keepAliveSeconds: 620,
    });
    expect((await fetch(`${longer.url}/healthz`)).headers.get('keep-alive')).toBe('timeout=620');
    await longer.close();
  });

  test('a rejected request is logged with its code and fields, without values', async () => {
    const lines: string[] = [];
    const own = await createTestServer({
      logLevel: 'info',
      logStream: { write: (line) => lines.push(line) },
    });
    await own.inject({ method: 'POST', url: '/body', payload: { name: 7_654_321, 'a/b': [] } });
    await own.close();
    const logged = lines.find((line) => line.includes('answered')) ?? '';
    expect(JSON.parse(logged)).toMatchObject({ route: '/body', code: 'body_invalid', fields: ['/name'] });
    expect(logged).not.toContain('7654321');
  });

  test('an aborted request is one log line and not an error', async () => {
    const lines: { level: number; msg: string }[] = [];
    let heard = () => {};
    const told = new Promise<void>((resolve) => (heard = resolve));
    const own = await createTestServer({
      logLevel: 'info',
      logStream: {
        write(line) {
          const event = JSON.parse(line) as { level: number; msg: string };
          if (!('requestId' in event) || event.msg === 'answered') return;
          lines.push(event);
          heard();
        },
      },
    });
    const begun = new Promise<void>((resolve) => {
      own.addHook('preParsing', (_request, _reply, payload, done) => {
        resolve();
        done(null, payload);
      });
    });
    const { port, close } = await startServer(own, { port: 0, host: '127.0.0.1' });
    const head =
      'POST /body HTTP/1.1\r\nhost: a\r\ncontent-type: application/json\r\ncontent-length: 500\r\n\r\n{';
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    await begun;
    socket.destroy();
    await told;
    await close();
    const [line, ...more] = lines;
    expect(line).toMatchObject({
      level: 'info',
      msg: 'the client disconnected before the request was complete',
    });
    expect(line).not.toHaveProperty('err');
    expect(more).toEqual([]);
  });

  test('completes active requests before it closes', async () => {
    const own = await createTestServer();
    let release = () => {};
    const arrived = new Promise<void>((resolve) => {
      own.get('/slow', async () => {
        resolve();
        await new Promise<void>((go) => (release = go));
        return 'done';
      });
    });
    const running = await startServer(own, { port: 0, host: '127.0.0.1' });
    const answer = fetch(`${running.url}/slow`);
    await arrived;
    const closed = running.close();
    release();
    expect(await (await answer).text()).toBe('done');
    await closed;
    await expect(fetch(running.url)).rejects.toThrow();
  });
});
