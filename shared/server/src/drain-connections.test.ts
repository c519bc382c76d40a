import { createServer, type Server, type ServerResponse } from 'node:http';
import { connect, type AddressInfo } from 'node:net';
import { drainConnections } from './drain-connections.ts';
import { nextEvent } from './testing/wait-for.ts';

const never = 2 ** 31 - 1;

async function listen(handle: (response: ServerResponse) => void) {
  const server: Server = createServer({ keepAliveTimeout: never }, (_request, response) => handle(response));
  const drain = drainConnections(server);
  server.listen(0, '127.0.0.1');
  await nextEvent(server, 'listening');
  const { port } = server.address() as AddressInfo;
  return { server, drain, port };
}

test('a connection without requests does not delay the shutdown', async () => {
  const { server, drain, port } = await listen((response) => response.end());
  const silent = connect({ port, host: '127.0.0.1' });
  await nextEvent(silent, 'connect');
  const closed = nextEvent(server, 'close');
  void drain(never);
  await closed;
});

test('a connection that was just opened gets its response, and no further connection is accepted', async () => {
  const { server, drain, port } = await listen((response) => response.end('late'));
  const client = connect({ port, host: '127.0.0.1' });
  await nextEvent(server, 'connection');
  const closed = nextEvent(server, 'close');
  const drained = drain(never);
  await expect(fetch(`http://127.0.0.1:${port}/`)).rejects.toThrow('fetch failed');
  let answer = '';
  client.on('data', (chunk: Buffer) => (answer += chunk.toString()));
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  await nextEvent(client, 'end');
  await closed;
  await drained;
  expect(answer).toMatch(/late$/);
});

test('an active request is answered first', async () => {
  let waiting: ServerResponse | undefined;
  const { server, drain, port } = await listen((response) => (waiting = response));
  const answer = fetch(`http://127.0.0.1:${port}/`).then((response) => response.text());
  await nextEvent(server, 'request');
  const closed = nextEvent(server, 'close');
  void drain(never);
  waiting?.end('whole');
  expect(await answer).toBe('whole');
  await closed;
});

test('a keep-alive connection closes after its active response', async () => {
  let waiting: ServerResponse | undefined;
  const { server, drain, port } = await listen((response) => (waiting = response));
  const client = connect({ port, host: '127.0.0.1' });
  client.write('GET / HTTP/1.1\r\nHost: x\r\n\r\n');
  client.resume();
  await nextEvent(server, 'request');
  const closed = nextEvent(server, 'close');
  void drain(never);
  waiting?.end('whole');
  await closed;
});

test('a request that never ends is aborted after the timeout', async () => {
  const { server, drain, port } = await listen(() => undefined);
  const answer = fetch(`http://127.0.0.1:${port}/`).then(
    () => 'answered',
    () => 'cut off',
  );
  await nextEvent(server, 'request');
  const closed = nextEvent(server, 'close');
  void drain(0);
  expect(await answer).toBe('cut off');
  await closed;
});
