import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEdgeClient } from './registry-client.ts';
import { nextEvent } from '@site/server/testing/wait-for';

test.each([
  [
    JSON.stringify({
      errors: [{ code: 'token_invalid', detail: 'The token is not valid: ask for a new one.' }],
    }),
    'The registry answers /v1/channels/production with 401: The token is not valid: ask for a new one. (token_invalid)',
  ],
  ['<h1>Sign in</h1>', 'The registry answers /v1/channels/production with 401: <h1>Sign in</h1>'],
])('an error response has a reason: %s', async (body, message) => {
  const server = createServer((_request, response) => response.writeHead(401).end(body)).listen(
    0,
    '127.0.0.1',
  );
  await nextEvent(server, 'listening');
  const client = createEdgeClient(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, 'a token');
  await expect(client.channelState('production', new AbortController().signal)).rejects.toMatchObject({
    message,
    status: 401,
  });
  server.close();
});

test('a stream of events that falls silent ends with an error; comments keep it open', async () => {
  let comments = 5;
  const server = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/event-stream' });
    response.write(
      'id: 1\nevent: state\ndata: {"channel":"production","live":null,"canary":null,"revoked":[]}\n\n',
    );
    const timer = setInterval(() => {
      comments -= 1;
      if (comments > 0) response.write(': here\n\n');
      else clearInterval(timer);
    }, 100);
  }).listen(0, '127.0.0.1');
  await nextEvent(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const client = createEdgeClient(`http://127.0.0.1:${port}`, 'a token', { silentMs: 400 });
  const states: unknown[] = [];
  const following = (async () => {
    for await (const { state } of client.channelEvents('production', new AbortController().signal)) {
      states.push(state);
    }
  })();
  try {
    await expect(following).rejects.toThrow('The registry sent nothing for 400 ms.');
    expect([states.length, comments]).toEqual([1, 0]);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});
