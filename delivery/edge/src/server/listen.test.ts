import type { ServerResponse } from 'node:http';
import { connect as connectHttp2, type IncomingHttpHeaders } from 'node:http2';
import { connect, createServer as createTcpServer, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { createEdgeServer, type EdgeServer, type EdgeServerOptions } from './listen.ts';
import { selfSigned } from '@site/server/testing/self-signed';
import { nextEvent, waitFor } from '@site/server/testing/wait-for';

const certificate = selfSigned();
/** Longer than any test may take. */
const never = 2 ** 30;
const patient = {
  requestTimeout: never,
  headersTimeout: never,
  keepAliveTimeout: never,
  connectionsCheckingInterval: never,
};

let clients: { destroy(): void }[] = [];
let running: EdgeServer | null = null;
afterEach(async () => {
  for (const client of clients) client.destroy();
  clients = [];
  await running?.close(0);
  running = null;
});

async function start(options: Partial<EdgeServerOptions>) {
  const server = createEdgeServer({
    maxConnections: 100,
    idleMs: never,
    patience: patient,
    onRequest: (_request, response) => void response.end(Buffer.from('hello')),
    onDrop: () => undefined,
    ...options,
  });
  const { port } = await server.listen({ port: 0, host: '127.0.0.1' });
  running = server;
  return { server, port };
}

function opened<T extends { destroy(): void; on(event: 'error', ignore: () => void): unknown }>(
  client: T,
): T {
  clients.push(client);
  client.on('error', () => undefined);
  return client;
}

async function readAll(socket: Socket): Promise<string> {
  let text = '';
  for await (const chunk of socket) text += String(chunk);
  return text;
}

describe.each([
  ['HTTP/1.1', undefined],
  ['HTTP/2 over TLS', certificate],
])('with %s', (_name, own) => {
  test('closing does not wait for a connection without a request', async () => {
    const { server, port } = await start({ certificate: own });
    const idle = opened(connect(port, '127.0.0.1'));
    await waitFor(() => expect(server.connections()).toBe(1));
    const ended = nextEvent(idle, 'close');
    await server.close(never);
    running = null;
    idle.resume();
    await ended;
  });
});

test('closing waits for a running request over HTTP/2, and closes connections without a handshake', async () => {
  let answer: () => void = () => undefined;
  const { server, port } = await start({
    certificate,
    onRequest: (_request, response) => void (answer = () => response.end(Buffer.from('at last'))),
  });
  const session = opened(connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }));
  const stream = session.request({ ':path': '/' });
  let text = '';
  stream.on('data', (chunk: Buffer) => (text += chunk.toString()));
  const asked = answer;
  await waitFor(() => expect(answer).not.toBe(asked));
  opened(connect(port, '127.0.0.1'));
  await waitFor(() => expect(server.connections()).toBe(2));
  const closed = server.close(never);
  await waitFor(() => expect(server.connections()).toBe(1));
  answer();
  await closed;
  running = null;
  expect(text).toBe('at last');
});

test.each([
  ['HTTP/1.1', undefined],
  ['TLS', certificate],
])('closing over %s ends a keep-alive connection after the running response', async (_name, own) => {
  let answer: (() => void) | undefined;
  const { server, port } = await start({
    certificate: own,
    onRequest: (_request, response) => void (answer = () => response.end(Buffer.from('at last'))),
  });
  const client = opened(
    own ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1'),
  );
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.resume();
  await waitFor(() => expect(answer).toBeDefined());
  const closed = server.close(never);
  answer?.();
  await closed;
  running = null;
});

test.each([
  ['HTTP/1.1', undefined],
  ['TLS', certificate],
])('closing over %s aborts responses after the time limit', async (_name, own) => {
  let isAsked = false;
  const { server, port } = await start({ certificate: own, onRequest: () => void (isAsked = true) });
  const client = opened(
    own ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1'),
  );
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await waitFor(() => isAsked);
  client.resume();
  const ended = nextEvent(client, 'close');
  await server.close(1);
  running = null;
  await ended;
});

test('closing over HTTP/2 aborts responses after the time limit', async () => {
  let isAsked = false;
  const { server, port } = await start({ certificate, onRequest: () => void (isAsked = true) });
  const session = opened(connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }));
  session.on('error', () => undefined);
  const stream = session.request({ ':path': '/' });
  stream.on('error', () => undefined);
  await waitFor(() => isAsked);
  const ended = nextEvent(session, 'close');
  await server.close(1);
  running = null;
  await ended;
});

describe.each([
  ['HTTP/1.1', undefined],
  ['TLS', certificate],
])('error responses by Node over %s are not cacheable', (_name, own) => {
  test.each([
    ['no HTTP', 'HELLO\r\n\r\n', 400],
    ['a request that names no host', 'GET / HTTP/1.1\r\nConnection: close\r\n\r\n', 400],
    ['an expectation', 'GET / HTTP/1.1\r\nHost: x\r\nExpect: wonders\r\nConnection: close\r\n\r\n', 417],
    ['headers without end', `GET / HTTP/1.1\r\nHost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, 431],
  ])('%s', async (_what, sent, status) => {
    const { port } = await start({ certificate: own });
    const client = opened(
      own ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1'),
    );
    client.write(sent);
    const answer = await readAll(client);
    expect(answer).toMatch(new RegExp(`^HTTP/1.1 ${status} `));
    expect(answer).toMatch(/^cache-control: no-store\r$/im);
  });

  test('malformed HTTP after the start of a response adds nothing to it', async () => {
    const { port } = await start({
      certificate: own,
      onRequest: (_request, response) => void (response as ServerResponse).write('half'),
    });
    const client = opened(
      own ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1'),
    );
    const read = readAll(client).catch(() => '');
    client.once('data', () => client.write('\0\0\r\n\r\n'));
    client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await read).not.toContain('400');
  });
});

/** The cookies of one site that a browser stores and sends. */
const cookies = (count: number) =>
  Array.from({ length: count }, (_, index) => `c${index}=${'x'.repeat(3_900)}`).join('; ');

test.each([
  [20, 100_000],
  [20, 1_400],
  [180, 1_000_000],
  [180, 1_400],
])('%i planted cookies, sent by %i bytes, are removed by the response', async (count, part) => {
  const { port } = await start({ headersTooLarge: '<p>Too large' });
  const client = opened(connect(port, '127.0.0.1'));
  const answer = readAll(client);
  const sent = `GET / HTTP/1.1\r\nHost: x\r\nAccept: a, b\r\nCookie: ${cookies(count)}\r\n\r\n`;
  for (let at = 0; at < sent.length && !client.destroyed; at += part) {
    client.write(sent.slice(at, at + part));
    await new Promise((resolve) => setImmediate(resolve));
  }
  expect(await answer).toMatch(/^HTTP\/1.1 431 [^]*\r\nclear-site-data: "cookies"\r\n[^]*<p>Too large$/);
});

test.each([
  ['with a long address', `/${'x'.repeat(20_000)}`],
  ['with a very long one', `/${'x'.repeat(90_000)}`],
])('a link of another site %s removes no cookies', async (_what, address) => {
  const { port } = await start({});
  const client = opened(connect(port, '127.0.0.1'));
  client.write(`GET ${address} HTTP/1.1\r\nHost: x\r\nCookie: a=b\r\n\r\n`);
  const answer = await readAll(client);
  expect(answer).toMatch(/^HTTP\/1.1 431 /);
  expect(answer).not.toContain('clear-site-data');
});

test('over HTTP/2, planted cookies are removed by the response', async () => {
  const { port } = await start({ certificate, headersTooLarge: '<p>Too large' });
  const session = opened(connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }));
  const asked = async (sent: Record<string, string>) => {
    const stream = session.request({ ':path': '/', ...sent });
    const [headers] = (await nextEvent(stream, 'response')) as [IncomingHttpHeaders];
    stream.resume();
    return [headers[':status'], headers['clear-site-data']];
  };
  expect(await asked({ cookie: cookies(12) })).toEqual([431, '"cookies"']);
  expect(await asked({ ':path': `/${'x'.repeat(20_000)}` })).toEqual([431, undefined]);
  expect(await asked({ cookie: cookies(1) })).toEqual([200, undefined]);
});

test('error responses by Node over HTTP/2 are not cacheable', async () => {
  const { port } = await start({ certificate });
  const session = opened(connectHttp2(`https://127.0.0.1:${port}`, { rejectUnauthorized: false }));
  const stream = session.request({ ':path': '/', expect: 'wonders' });
  const [headers] = (await nextEvent(stream, 'response')) as [IncomingHttpHeaders];
  expect([headers[':status'], headers['cache-control']]).toEqual([417, 'no-store']);
});

describe.each([
  ['HTTP/1.1', undefined],
  ['TLS', certificate],
])('limits over %s', (_name, own) => {
  const open = (port: number) =>
    opened(
      own ? connectTls({ port, host: '127.0.0.1', rejectUnauthorized: false }) : connect(port, '127.0.0.1'),
    );

  test('a slow, endless request head is rejected in time', async () => {
    const { port } = await start({
      certificate: own,
      patience: { ...patient, headersTimeout: 50, connectionsCheckingInterval: 10 },
    });
    const slow = open(port);
    slow.write('GET / HTTP/1.1\r\nHost: x\r\n');
    expect(await readAll(slow)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('an endless request body is rejected in time', async () => {
    const { port } = await start({
      certificate: own,
      onRequest: () => undefined,
      patience: { ...patient, headersTimeout: 50, requestTimeout: 50, connectionsCheckingInterval: 10 },
    });
    const slow = open(port);
    slow.write('POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 10\r\n\r\nabc');
    expect(await readAll(slow)).toMatch(/^HTTP\/1\.1 408 /);
  });

  test('an idle keep-alive connection is closed', async () => {
    const { port } = await start({
      certificate: own,
      patience: { ...patient, keepAliveTimeout: 1 },
    });
    const kept = open(port);
    kept.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
    expect(await readAll(kept)).toMatch(/^HTTP\/1\.1 200 [^]*hello$/);
  });
});

test('a missing handshake times out', async () => {
  const { server, port } = await start({ certificate, patience: { ...patient, headersTimeout: 50 } });
  opened(connect(port, '127.0.0.1')).resume();
  await waitFor(() => expect(server.connections()).toBe(1));
  await waitFor(() => expect(server.connections()).toBe(0));
});

test.each([
  ['HTTP/1.1', undefined],
  ['HTTP/2 over TLS', certificate],
])('with %s, localhost is both loopback addresses', async (_name, own) => {
  const options: EdgeServerOptions = {
    certificate: own,
    maxConnections: 100,
    idleMs: never,
    onRequest: (_request, response) => void response.end(Buffer.from('hello')),
    onDrop: () => undefined,
  };
  running = createEdgeServer(options);
  const { port } = await running.listen({ port: 0, host: 'localhost' });
  for (const host of ['127.0.0.1', '::1']) {
    const client = opened(
      own
        ? connectTls({ port, host, rejectUnauthorized: false, ALPNProtocols: ['http/1.1'] })
        : connect(port, host),
    );
    client.write('GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n');
    expect(await readAll(client)).toMatch(/^HTTP\/1\.1 200 [^]*hello$/);
  }

  await running.close(0);
  running = null;
  const blocker = createTcpServer().listen(port, '::1');
  await nextEvent(blocker, 'listening');
  await expect(createEdgeServer(options).listen({ port, host: 'localhost' })).rejects.toThrow(
    `Port ${port} is in use`,
  );
  blocker.close();
});
