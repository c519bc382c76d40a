import { createServer, get, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createEventStream, type EventStream } from './event-stream.ts';
import { nextEvent } from '@site/server/testing/wait-for';

/** Larger than the socket buffers of an unread connection. */
const LARGE = 'x'.repeat(1_000_000);
const EVENTS = 100;

let server: ReturnType<typeof createServer>;
let accepted: (raw: ServerResponse) => void;
beforeEach(async () => {
  server = createServer((_request, response) => accepted(response)).listen(0, '127.0.0.1');
  await nextEvent(server, 'listening');
});
afterEach(() => {
  server.closeAllConnections();
  server.close();
});

async function connect() {
  const opened = new Promise<ServerResponse>((resolve) => (accepted = resolve));
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  request.on('error', () => undefined);
  const raw = await opened;
  const stream = createEventStream(raw);
  stream.open({ 'content-type': 'text/event-stream' }, 'first\n');
  const [response] = (await nextEvent(request, 'response')) as [NodeJS.ReadableStream];
  response.on('error', () => undefined);
  return { raw, stream, response };
}

function flood(stream: EventStream): void {
  for (let index = 0; index < EVENTS; index += 1) stream.send(`${LARGE}${index}\n`);
}

test('a stalled client costs the memory of two states, however many are sent', async () => {
  const { raw, stream } = await connect();
  flood(stream);
  expect(raw.writableLength).toBeLessThan(2 * LARGE.length);
});

test('a stalled client is disconnected, so that it reconnects', async () => {
  const { raw, stream } = await connect();
  flood(stream);
  stream.keepAlive(': still here\n\n');
  expect(raw.destroyed).toBe(false);
  stream.keepAlive(': still here\n\n');
  expect(raw.destroyed).toBe(true);
});

test('a slow client may miss intermediate states, but never the last one', async () => {
  const { raw, stream, response } = await connect();
  flood(stream);
  let text = '';
  for await (const chunk of response) {
    text += String(chunk);
    if (text.endsWith(`x${EVENTS - 1}\n`)) break;
  }
  expect(text.length).toBeLessThan(EVENTS * LARGE.length);
  stream.keepAlive(': still here\n\n');
  stream.keepAlive(': still here\n\n');
  expect(raw.destroyed).toBe(false);
});

test('states sent before the stream opens come after its first state', async () => {
  const opened = new Promise<ServerResponse>((resolve) => (accepted = resolve));
  const request = get({ port: (server.address() as AddressInfo).port, host: '127.0.0.1', agent: false });
  const stream = createEventStream(await opened);
  stream.send('newer\n');
  stream.keepAlive(': still here\n\n');
  stream.open({}, 'first\n');
  stream.end();
  const [response] = (await nextEvent(request, 'response')) as [NodeJS.ReadableStream];
  let text = '';
  for await (const chunk of response) text += String(chunk);
  expect(text).toBe('first\nnewer\n');
});
