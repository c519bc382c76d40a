import { connect, type AddressInfo, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import { allowLongBody } from './arrival.ts';
import { createServer } from './create-server.ts';
import { nextEvent } from './testing/wait-for.ts';

let app: Awaited<ReturnType<typeof createServer>>;
let port: number;
beforeEach(async () => {
  app = await createServer({ name: 'test', requestTimeout: 0, bodyTimeout: 100 });
  app.post('/short', (request) => request.body);
  app.post(
    '/long',
    {
      preParsing: (request, _reply, payload, done) => (
        allowLongBody(request, { withinMs: 60_000 }),
        done(null, payload)
      ),
    },
    (request) => request.body,
  );
  app.post(
    '/longer',
    {
      preParsing: (request, _reply, payload, done) => (
        allowLongBody(request, { withinMs: 50 }),
        done(null, payload)
      ),
    },
    (request) => request.body,
  );
  app.post(
    '/steady',
    {
      preParsing: (request, _reply, payload, done) => (
        allowLongBody(request, { idleMs: 1_000 }),
        done(null, payload)
      ),
    },
    (request) => request.body,
  );
  await app.listen({ port: 0, host: '127.0.0.1' });
  ({ port } = app.server.address() as AddressInfo);
});
afterEach(() => app.close());

/** Sends a request and the beginning of its body. */
async function begin(path: string, header = 'connection: close', length = 9): Promise<Socket> {
  const socket = connect(port, '127.0.0.1');
  await nextEvent(socket, 'connect');
  socket.write(
    `POST ${path} HTTP/1.1\r\nhost: x\r\ncontent-type: application/json\r\ncontent-length: ${length}\r\n${header}\r\n\r\n{"a":`,
  );
  return socket;
}

test.each([
  ['/short', 408],
  ['/longer', 408],
  ['/steady', 408],
  ['/nowhere', 408],
  // Fastify responds to this before any hook.
  ['/%zz', 400],
])('a body that does not arrive closes its connection: POST %s', async (path, status) => {
  expect(await text(await begin(path, 'x-kept: yes'))).toContain(`HTTP/1.1 ${status} `);
});

test('an unknown expectation closes the connection', async () => {
  expect(await text(await begin('/short', 'expect: all'))).toMatch(/^HTTP\/1\.1 417 /);
});

test('a request with an extended limit is still awaited after others timed out', async () => {
  const long = await begin('/long');
  await text(await begin('/short'));
  long.write('"b"}');
  expect(await text(long)).toMatch(/^HTTP\/1\.1 200 [^]*\{"a":"b"\}$/);
});

test('a request without a deadline may take as long as its sender makes progress', async () => {
  const steady = await begin('/steady', 'connection: close', 29);
  // Each short request takes a tenth of the pause that is allowed.
  for (let count = 0; count < 20; count += 1) {
    await text(await begin('/short'));
    steady.write(' ');
  }
  steady.write('"b"}');
  expect(await text(steady)).toMatch(/^HTTP\/1\.1 200 [^]*\{"a":"b"\}$/);
});

test('a body that arrives is answered, and its connection kept for the next', async () => {
  const url = `http://127.0.0.1:${port}/short`;
  const headers = { 'content-type': 'application/json' };
  for (const body of ['{"n":1}', '{"n":2}'])
    expect(await (await fetch(url, { method: 'POST', headers, body })).text()).toBe(body);
});
