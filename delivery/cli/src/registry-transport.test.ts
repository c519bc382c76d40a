import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { createRegistryClient } from './registry-client.ts';

let server: Server;
let url: string;
let handle: RequestListener;
let keys: (string | undefined)[];
beforeEach(async () => {
  keys = [];
  server = createServer((request, response) => {
    keys.push(readKey(request));
    handle(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
});
afterEach(async () => {
  server.closeAllConnections();
  await new Promise((resolve) => server.close(resolve));
});

const readKey = ({ headers }: IncomingMessage) => headers['idempotency-key'] as string | undefined;
const client = (more = {}) =>
  createRegistryClient({ registryUrl: url, token: 'site_secret', retriesMs: [1, 1], ...more });
const freezes = JSON.stringify({ changed: true, freezes: [] });
const order = { params: { channel: 'production' }, body: { reason: 'a test' } };

test('a change with a lost response is retried with the same key', async () => {
  handle = (request, response) => {
    if (keys.length < 3) request.socket.destroy();
    else response.end(freezes);
  };
  await expect(client().freezeChannel(order)).resolves.toMatchObject({ changed: true });
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);
});

test('each change has its own key unless one is given', async () => {
  handle = (_request, response) => response.end(freezes);
  const registry = client();
  await registry.freezeChannel(order);
  await registry.freezeChannel(order);
  await client({ key: 'pipeline-17' }).freezeChannel(order);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('pipeline-17');
});

test('a missing response is reported with the key that makes a retry safe', async () => {
  handle = (request) => request.socket.destroy();
  const error: unknown = await client({ key: 'run-1' })
    .freezeChannel(order)
    .catch((thrown: unknown) => thrown);
  expect(error).toMatchObject({ code: 'answer_lost' });
  expect((error as Error).message).toContain('again with --key run-1');
  expect((error as Error).message).not.toContain('site_secret');
});

test('a registry that is killed during a request and stays down may have acted', async () => {
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
])('status %s in response to a change leaves open whether it was made', async (status, text) => {
  handle = (_request, response) => response.writeHead(status).end(text);
  await expect(client({ key: 'run-3' }).freezeChannel(order)).rejects.toMatchObject({
    code: 'answer_lost',
    message: expect.stringContaining('again with --key run-3') as string,
  });
  expect(keys).toEqual(['run-3', 'run-3', 'run-3']);
});

test('a 503 with a reason is not retried', async () => {
  const errors = [{ code: 'store_unavailable', detail: 'It does not work.' }];
  handle = (_request, response) => response.writeHead(503).end(JSON.stringify({ errors }));
  await expect(client().freezeChannel(order)).rejects.toMatchObject({ code: 'store_unavailable' });
  expect(keys).toHaveLength(1);
});

test('a change that a read-only database rejected was not made: the reason is shown, and nothing is retried', async () => {
  const errors = [{ code: 'database_read_only', detail: 'The database is read-only.' }];
  handle = (_request, response) =>
    response.writeHead(503, { 'retry-after': '5' }).end(JSON.stringify({ errors }));
  await expect(client().freezeChannel(order)).rejects.toMatchObject({
    code: 'database_read_only',
    message: expect.stringContaining('The database is read-only.') as string,
  });
  expect(keys).toHaveLength(1);
});

test('a change is retried with its key after a lost database connection, because it may be committed', async () => {
  const errors = [{ code: 'unavailable', detail: 'The database does not answer.' }];
  handle = (_request, response) => {
    if (keys.length < 3) response.writeHead(503).end(JSON.stringify({ errors }));
    else response.end(freezes);
  };
  await expect(client().freezeChannel(order)).resolves.toMatchObject({ changed: true });
  expect(keys).toEqual([expect.any(String), keys[0], keys[0]]);

  handle = (_request, response) => response.writeHead(503).end(JSON.stringify({ errors }));
  await expect(client({ key: 'run-4' }).freezeChannel(order)).rejects.toMatchObject({
    code: 'answer_lost',
    message: expect.stringMatching(/The database does not answer\..*again with --key run-4/) as string,
  });
});

test('an error after a lost response leaves open whether the change was made', async () => {
  const errors = [{ code: 'composer_busy', detail: 'It renders for others.' }];
  handle = (request, response) => {
    if (keys.length === 1) request.socket.destroy();
    else response.writeHead(429).end(JSON.stringify({ errors }));
  };
  await expect(client({ key: 'run-5' }).freezeChannel(order)).rejects.toMatchObject({
    code: 'answer_lost',
    message: expect.stringMatching(
      /rejected the retry: It renders for others\..*unknown .*again with --key run-5/s,
    ) as string,
  });
});

test('a query needs no key: it is retried', async () => {
  handle = (request, response) => {
    if (keys.length === 1) request.socket.destroy();
    else response.end(JSON.stringify({ apps: [] }));
  };
  await expect(client().listApps()).resolves.toEqual({ apps: [] });
  expect(keys).toEqual([undefined, undefined]);
});

test.each([
  ['a question', (registry: ReturnType<typeof client>) => registry.listApps()],
  ['a change', (registry: ReturnType<typeof client>) => registry.freezeChannel(order)],
])('%s by https to an http server is reported as such', async (_what, ask) => {
  const registryUrl = url.replace('http:', 'https:');
  await expect(ask(client({ registryUrl }))).rejects.toMatchObject({
    code: 'registry_unreachable',
    message: expect.stringMatching(
      /to https:\S+: the server does not speak https\. Set SITE_REGISTRY/,
    ) as string,
  });
});

test('a redirect is rejected, and its target is named', async () => {
  handle = (request, response) =>
    response.writeHead(301, { location: `https://elsewhere.test${request.url}` }).end();
  const refused = {
    code: 'registry_answer_invalid',
    message: expect.stringMatching(/redirects \(status 301\) to https:\/\/elsewhere\.test\. /) as string,
  };
  await expect(client().listApps()).rejects.toMatchObject(refused);
  await expect(client().freezeChannel(order)).rejects.toMatchObject(refused);
  await expect(client().verifyStore({ body: {} })).rejects.toMatchObject(refused);
});

describe('a response that takes longer than fetch waits', () => {
  const verification = {
    artifacts: { checked: 1, missing: [], damaged: [] },
    audit: {
      entries: 1,
      ok: true,
      problem: null,
      anchors: { key: 'ed25519:key', newest: null, checked: 0, restored: [], problems: [] },
    },
  };
  /** The error of fetch after five minutes without a response. */
  const giveUp = () =>
    jest.spyOn(globalThis, 'fetch').mockImplementation(() => {
      const cause = Object.assign(new Error('Headers Timeout Error'), { code: 'UND_ERR_HEADERS_TIMEOUT' });
      return Promise.reject(new TypeError('fetch failed', { cause }));
    });
  afterEach(() => jest.restoreAllMocks());

  test('to a verification is awaited: it is requested once', async () => {
    giveUp();
    const heads: (string | undefined)[] = [];
    handle = ({ method, url: path, headers }, response) => {
      heads.push(method, path, headers.authorization, headers['content-type']);
      response.end(JSON.stringify(verification));
    };
    await expect(client().verifyStore({ body: {} })).resolves.toMatchObject(verification);
    expect(heads).toEqual(['POST', '/v1/verifications', 'Bearer site_secret', 'application/json']);
  });

  test('of a restore is waited for, and its backup is sent whole', async () => {
    giveUp();
    const restored = { takenAt: '2026-11-27T12:00:00.000Z', rows: 1, blobs: 2, lacking: [] };
    const received: Buffer[] = [];
    handle = (request, response) => {
      request.on('data', (chunk: Buffer) => received.push(chunk));
      request.on('end', () => response.end(JSON.stringify(restored)));
    };
    const body = new Blob(['one ', 'two']).stream() as unknown as AsyncIterable<Uint8Array>;
    await expect(client().restoreBackup({ body })).resolves.toMatchObject(restored);
    expect(Buffer.concat(received).toString()).toBe('one two');
  });

  test('of a restore is a refusal, though the rest of the backup is not read', async () => {
    const refusal = { errors: [{ status: '409', code: 'registry_not_empty', detail: 'It has versions.' }] };
    handle = (_request, response) => {
      response.writeHead(409, { connection: 'close' }).end(JSON.stringify(refusal));
    };
    async function* endless() {
      for (;;) {
        yield Buffer.alloc(64 * 1024);
        await Promise.resolve();
      }
    }
    await expect(client().restoreBackup({ body: endless() })).rejects.toMatchObject({
      code: 'registry_not_empty',
    });
  });

  test('of a call without a key is not retried, because the registry may still process it', async () => {
    const asked = giveUp();
    await expect(client().listApps()).rejects.toMatchObject({
      code: 'registry_unreachable',
      message: expect.stringMatching(/within five minutes.*still be working.*not repeated/) as string,
    });
    expect(asked).toHaveBeenCalledTimes(1);
  });

  test('to a change is retried with the same key', async () => {
    const asked = giveUp();
    await expect(client({ key: 'run-4' }).freezeChannel(order)).rejects.toMatchObject({
      code: 'answer_lost',
    });
    expect(asked).toHaveBeenCalledTimes(3);
  });
});

describe('a verification', () => {
  const verify = (more = {}) => client(more).verifyStore({ body: {} });

  test('is retried after the registry was lost', async () => {
    handle = (request) => request.socket.destroy();
    await expect(verify()).rejects.toMatchObject({ code: 'registry_unreachable' });
    expect(keys).toEqual([undefined, undefined, undefined]);
  });

  test('is retried after an incomplete response', async () => {
    handle = (request, response) => {
      response.writeHead(200, { 'content-length': 100 });
      response.write('{', () => request.socket.destroy());
    };
    await expect(verify()).rejects.toMatchObject({ code: 'registry_unreachable' });
    expect(keys).toHaveLength(3);
  });

  test('is not retried if the registry is not running', async () => {
    const closed = url;
    await new Promise((resolve) => server.close(resolve));
    await expect(verify({ registryUrl: closed })).rejects.toMatchObject({ code: 'registry_unreachable' });
    expect(keys).toEqual([]);
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });

  test('reports the reason of a rejection', async () => {
    const errors = [{ code: 'scope_missing', detail: 'It may not.' }];
    handle = (_request, response) => response.writeHead(403).end(JSON.stringify({ errors }));
    await expect(verify()).rejects.toMatchObject({ code: 'scope_missing' });
  });

  test('ends with Ctrl-C', async () => {
    const interruption = new AbortController();
    handle = () => interruption.abort();
    await expect(verify({ signal: interruption.signal })).rejects.toMatchObject({ code: 'interrupted' });
    expect(keys).toHaveLength(1);
  });
});

describe('a registry that accepts the connection and does not respond', () => {
  const noted: string[] = [];
  const onWait = (line: string) => void noted.push(line);
  beforeEach(() => noted.splice(0));

  test.each<[string, RequestListener]>([
    ['nothing at all', () => undefined],
    ['half an answer', (_request, response) => void response.writeHead(200).write('{"data":')],
  ])('gets one request without a change, with a timeout: %s', async (_, says) => {
    handle = says;
    await expect(client({ onWait, patience: { questionMs: 20 } }).listApps()).rejects.toMatchObject({
      code: 'registry_unreachable',
      message: expect.stringContaining(
        `${url} accepted the connection but sent no complete response within 0.02 s.`,
      ) as string,
    });
    expect(keys.length).toBeLessThan(2);
    expect(noted).toEqual([]);
  });

  test('may take long to start a backup', async () => {
    handle = (_request, response) => void setTimeout(() => response.end('tar'), 50);
    const archive = await client({ patience: { questionMs: 1 } }).takeBackup();
    let read = '';
    for await (const chunk of archive) read += Buffer.from(chunk).toString();
    expect(read).toBe('tar');
  });

  test('is awaited for a change, which is reported once, with the key', async () => {
    handle = (_request, response) => {
      // It responds after the wait was reported, however long that takes.
      const heard = setInterval(() => {
        if (noted.length > 0) response.end(freezes, () => clearInterval(heard));
      }, 1);
    };
    const patience = { noticeMs: 1, changeMs: 60_000 };
    await client({ key: 'run-5', onWait, patience }).freezeChannel(order);
    expect(keys).toEqual(['run-5']);
    expect(noted).toEqual([
      expect.stringMatching(
        /has not responded for 0\.001 s; .* up to 60 s\. .* again with --key run-5: the change is made only once/,
      ),
    ]);
  });

  test('is awaited no longer than a change can take, and the key is reported', async () => {
    handle = () => undefined;
    const patience = { noticeMs: 60_000, changeMs: 20 };
    await expect(client({ key: 'run-6', onWait, patience }).freezeChannel(order)).rejects.toMatchObject({
      code: 'answer_lost',
      message: expect.stringMatching(/\(No response within 0\.02 s\.\).* again with --key run-6/) as string,
    });
    expect(keys.length).toBeLessThan(2);
    expect(noted).toEqual([]);
  });

  test('is awaited for a verification, which is reported without a key', async () => {
    handle = (_request, response) => {
      const heard = setInterval(() => {
        if (noted.length > 0) response.writeHead(403).end('{}', () => clearInterval(heard));
      }, 1);
    };
    const verifying = client({ onWait, patience: { noticeMs: 1, changeMs: 1 } }).verifyStore({ body: {} });
    await expect(verifying).rejects.toMatchObject({ code: 'registry_answer_invalid' });
    expect(noted).toEqual([expect.stringMatching(/it may be working\. Ctrl-C stops waiting\.$/)]);
  });
});

test('Ctrl-C ends a change immediately and reports that it may have been made', async () => {
  const interruption = new AbortController();
  handle = () => interruption.abort();
  const registry = client({ key: 'run-2', signal: interruption.signal });
  await expect(registry.freezeChannel(order)).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringContaining('--key run-2') as string,
  });
  expect(keys).toHaveLength(1);
});

test('Ctrl-C during a query reports that nothing was changed', async () => {
  const interruption = new AbortController();
  handle = () => interruption.abort();
  await expect(client({ signal: interruption.signal }).listApps()).rejects.toMatchObject({
    code: 'interrupted',
    message: expect.stringContaining('the live site was not changed') as string,
  });
});

test('a redirecting server is not a registry, and nothing is sent to its target', async () => {
  const asked: string[] = [];
  handle = ({ url: path = '' }, response) => {
    asked.push(path);
    response.writeHead(302, { location: '/home' }).end();
  };
  await expect(client().listApps()).rejects.toMatchObject({
    code: 'registry_answer_invalid',
    message: expect.stringMatching(/redirects \(status 302\) to http:\S+\. .*Set SITE_REGISTRY/) as string,
  });
  expect(asked).toEqual(['/v1/apps']);
});

test.each([
  ['something other than JSON', 200, '<html>'],
  ['JSON of another kind', 200, '{"pages":[]}'],
  ['an error without a reason', 404, 'Not Found'],
])('%s is reported as not coming from a registry', async (_, status, text) => {
  handle = (_request, response) => response.writeHead(status).end(text);
  await expect(client().listApps()).rejects.toMatchObject({ code: 'registry_answer_invalid' });
});

test('a server without the call is reported as not the registry', async () => {
  handle = (_request, response) =>
    response.writeHead(404).end('{"errors":[{"code":"route_not_found","detail":"There is no GET /v1/x."}]}');
  await expect(client().listApps()).rejects.toMatchObject({
    code: 'registry_answer_invalid',
    message: expect.stringContaining(
      `${url} does not know this call: There is no GET /v1/x. Set SITE_REGISTRY`,
    ) as string,
  });
});

test('a broken connection is reported as such: the registry exists', async () => {
  handle = (request) => request.socket.destroy();
  await expect(client().listApps()).rejects.toMatchObject({
    code: 'registry_unreachable',
    message: expect.stringMatching(/ was closed before its response\. Run the command again/) as string,
  });
});

test.each([500, 502, 599])(
  'an error of the proxy in front of the registry is reported as such: status %i',
  async (status) => {
    handle = (_request, response) => response.writeHead(status).end('Bad Gateway');
    await expect(client().listApps()).rejects.toMatchObject({
      code: 'registry_unreachable',
      message: expect.stringContaining(`status ${status}`) as string,
    });
  },
);

test.each([
  [399, 'redirects (status 399) to no address'],
  [400, 'responds with status 400 and no error message. Check SITE_REGISTRY'],
  [499, 'responds with status 499 and no error message. Check SITE_REGISTRY'],
])('a response without a reason is described by its status: %i', async (status, message) => {
  handle = (_request, response) => response.writeHead(status).end();
  await expect(client().listApps()).rejects.toMatchObject({
    code: 'registry_answer_invalid',
    message: expect.stringContaining(message) as string,
  });
});

test('a rejection for several reasons lists all of them', async () => {
  const errors = [
    { code: 'one', detail: 'The first.' },
    { code: 'two', detail: 'The second.' },
  ];
  handle = (_request, response) => response.writeHead(422).end(JSON.stringify({ errors }));
  await expect(client().listApps()).rejects.toMatchObject({
    code: 'one',
    message: expect.stringMatching(/The first\.[^]*\n[^]*The second\./) as string,
  });
});
