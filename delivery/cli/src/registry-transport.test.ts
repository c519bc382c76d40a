import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRegistryClient } from './registry-client.ts';

/** The client against a registry that fails on the way. */
let server: Server;
let url: string;
let handle: RequestListener;
let keys: (string | undefined)[];
beforeEach(async () => {
  keys = [];
  server = createServer((request, response) => {
    keys.push(keyOf(request));
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const keyOf = ({ headers }: IncomingMessage) => headers['idempotency-key'] as string | undefined;
const client = (more = {}) =>
  createRegistryClient({ registryUrl: url, token: 'site_secret', retriesMs: [1, 1], ...more });
const freezes = JSON.stringify({ changed: true, freezes: [] });
const order = { params: { channel: 'production' }, body: { reason: 'a test' } };

test('a change whose answer is lost is sent again with the same key', async () => {
  handle = (request, response) => {
    if (keys.length < 3) request.socket.destroy();
    else response.end(freezes);
  };
  await expect(client().freezeChannel(order)).resolves.toMatchObject({ changed: true });
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
});

test('each change has a key of its own, unless one is given', async () => {
  handle = (_request, response) => response.end(freezes);
  const registry = client();
  await registry.freezeChannel(order);
  await registry.freezeChannel(order);
  await client({ key: 'pipeline-17' }).freezeChannel(order);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('pipeline-17');
});

test('an answer that never arrives is told together with the key that makes a retry safe', async () => {
  handle = (request) => request.socket.destroy();
  const error: unknown = await client({ key: 'run-1' })
    .freezeChannel(order)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'answer_lost' });
  expect((error as Error).message).toContain('again with --key run-1');
  expect((error as Error).message).not.toContain('site_secret');
});

test('a registry that is killed in the middle and does not come back may have acted', async () => {
  handle = (request) => {
    request.socket.destroy();
    server.close();
  };
  await expect(client().freezeChannel(order)).rejects.toMatchObject({ code: 'answer_lost' });
});

test.each([
  [500, '{"errors":[{"code":"internal","detail":"It failed."}]}'],
  [502, 'Bad Gateway'],
  [503, ''],
  [504, '<html>'],
])('status %s in place of an answer to a change leaves open whether it was made', async (status, text) => {
  handle = (_request, response) => response.writeHead(status).end(text);
  await expect(client({ key: 'run-3' }).freezeChannel(order)).rejects.toMatchObject({
    code: 'answer_lost',
    message: expect.stringContaining('again with --key run-3') as string,
  });
  expect(keys).toEqual(['run-3', 'run-3', 'run-3']);
});

test('a registry that refuses with 503 and a reason is not asked again', async () => {
  const errors = [{ code: 'store_unavailable', detail: 'It does not work.' }];
  handle = (_request, response) => response.writeHead(503).end(JSON.stringify({ errors }));
  await expect(client().freezeChannel(order)).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(keys).toHaveLength(1);
});

test('a question needs no key: what is lost is asked again', async () => {
  handle = (request, response) => {
    if (keys.length === 1) request.socket.destroy();
    else response.end(JSON.stringify({ apps: [] }));
  };
  await expect(client().listApps()).resolves.toEqual({ apps: [] });
  expect(keys).toEqual([undefined, undefined]);
});

test('Ctrl-C ends a change at once and says that it may have been made', async () => {
  const interruption = new AbortController();
  handle = () => interruption.abort();
  const registry = client({ key: 'run-2', signal: interruption.signal });
  await expect(registry.freezeChannel(order)).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringContaining('--key run-2') as string,
  });
  expect(keys).toHaveLength(1);
});

test('Ctrl-C while it asks says that nothing was changed', async () => {
  const interruption = new AbortController();
  handle = () => interruption.abort();
  await expect(client({ signal: interruption.signal }).listApps()).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringContaining('nothing that visitors see was changed') as string,
  });
});

test('what leads elsewhere is not a registry, and nothing is sent on to there', async () => {
  const asked: string[] = [];
  handle = ({ url: path = '' }, response) => {
    asked.push(path);
    response.writeHead(302, { location: '/home' }).end();
  };
  await expect(client().listApps()).rejects.toMatchObject({
    code: 'registry_answer_invalid',
    message: expect.stringMatching(/answers with status 302.*Check SITE_REGISTRY/) as string,
  });
  expect(asked).toEqual(['/v1/apps']);
});

test.each([
  ['something other than JSON', 200, '<html>'],
  ['JSON of another kind', 200, '{"pages":[]}'],
  ['an error without a reason', 404, 'Not Found'],
])('%s is told to be no answer of a registry', async (_, status, text) => {
  handle = (_request, response) => response.writeHead(status).end(text);
  await expect(client().listApps()).rejects.toMatchObject({ code: 'registry_answer_invalid' });
});

test('what stands in front of a registry that is away is told to be that', async () => {
  handle = (_request, response) => response.writeHead(502).end('Bad Gateway');
  await expect(client().listApps()).rejects.toMatchObject({
    code: 'registry_unreachable',
    message: expect.stringContaining('status 502') as string,
  });
});
