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
