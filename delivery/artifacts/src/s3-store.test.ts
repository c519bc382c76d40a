import { createHash, createHmac } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { S3Client } from '@aws-sdk/client-s3';
import { ArtifactStoreError } from './artifact-store.ts';
import { integrityHex, computeIntegrity } from '@site/contract/integrity';
import { createS3Store } from './s3-store.ts';

type Answer = (request: IncomingMessage, response: ServerResponse) => void;

let script: Answer[];
let requests: IncomingMessage[];
let server: Server;
let client: S3Client;

beforeEach(async () => {
  script = [];
  requests = [];
  server = createServer((request, response) => {
    requests.push(request);
    request.resume().on('end', () => {
      const answer = script.length > 1 ? script.shift() : script[0];
      answer?.(request, response);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  client = new S3Client({
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    region: 'us-east-1',
    forcePathStyle: true,
    credentials: { accessKeyId: 'key', secretAccessKey: 'a-secret' },
    maxAttempts: 3,
    requestChecksumCalculation: 'WHEN_REQUIRED',
  });
});
afterEach(() => {
  client.destroy();
  server.closeAllConnections();
  server.close();
});

const store = (timeoutMs?: number) =>
  createS3Store({ bucket: 'site', client, ...(timeoutMs === undefined ? {} : { timeoutMs }) });

const refuse =
  (status: number, code: string): Answer =>
  (_request, response) =>
    response
      .writeHead(status, { 'content-type': 'application/xml' })
      .end(`<?xml version="1.0"?><Error><Code>${code}</Code><Message>${code}</Message></Error>`);
const missing: Answer = (_request, response) => response.writeHead(404).end();
const accept: Answer = (_request, response) => response.writeHead(200).end();
const send =
  (body: Buffer): Answer =>
  (_request, response) =>
    response.writeHead(200, { 'content-length': body.length }).end(body);
const cut =
  (body: Buffer): Answer =>
  (_request, response) => {
    response.writeHead(200, { 'content-length': body.length });
    response.write(body.subarray(0, 3), () => response.destroy());
  };
const silent: Answer = () => undefined;

const bytes = Buffer.from('some bytes');
const integrity = computeIntegrity(bytes);

test('stores a new blob only if there is none, with a checksum that the server verifies', async () => {
  script = [missing, accept];
  await store().put(integrity, bytes);
  expect(requests[1]?.headers).toMatchObject({
    'if-none-match': '*',
    'x-amz-checksum-sha256': expect.stringMatching(/=$/) as string,
    'x-amz-meta-size': '10',
  });
});

test('a blob that another process stored in the meantime counts as stored', async () => {
  script = [missing, refuse(412, 'PreconditionFailed')];
  await store().put(integrity, bytes);
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'PUT']);
});

test('does not wait for another process: a conflicting put is repeated', async () => {
  script = [missing, refuse(409, 'ConditionalRequestConflict'), accept];
  await store().put(integrity, bytes);
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'PUT', 'PUT']);
});

/** How the `PUT` requests differ: `checksum`, `condition`, both or neither. */
const features = () =>
  requests
    .filter(({ method }) => method === 'PUT')
    .map(({ headers }) =>
      [headers['x-amz-checksum-sha256'] && 'checksum', headers['if-none-match'] && 'condition']
        .filter(Boolean)
        .join('+'),
    );
const rejecting =
  (names: string[], answer: Answer): Answer =>
  (request, response) => {
    if (request.method === 'HEAD') missing(request, response);
    else (names.some((name) => request.headers[name]) ? answer : accept)(request, response);
  };

test.each<[string, string[], Answer, string[]]>([
  ['checksums (501)', ['x-amz-checksum-sha256'], refuse(501, 'NotImplemented'), ['condition']],
  ['checksums (400)', ['x-amz-checksum-sha256'], refuse(400, 'InvalidRequest'), ['condition']],
  [
    'checksums (400 without a reason)',
    ['x-amz-checksum-sha256'],
    (_request, response) => response.writeHead(400).end(),
    ['condition'],
  ],
  ['conditions', ['if-none-match'], refuse(501, 'NotImplemented'), ['condition', 'checksum']],
  [
    'either',
    ['if-none-match', 'x-amz-checksum-sha256'],
    refuse(501, 'NotImplemented'),
    ['condition', 'checksum', ''],
  ],
])('a server that does not support %s gets the rest, which is remembered', async (...given) => {
  const [, names, answer, others] = given;
  script = [rejecting(names, answer)];
  const known = store();
  await known.put(integrity, bytes);
  expect(features()).toEqual(['checksum+condition', ...others]);
  requests = [];
  const next = Buffer.from('other bytes');
  await known.put(computeIntegrity(next), next);
  expect(features()).toEqual(others.slice(-1));
});

test('a checksum that does not match is an error, not a missing feature', async () => {
  script = [missing, refuse(400, 'BadDigest')];
  await expect(store().put(integrity, bytes)).rejects.toThrow(/the bytes were changed in transit/);
  expect(features()).toEqual(['checksum+condition']);
});

test('conflicts with another process are no missing feature', async () => {
  const conflict = refuse(409, 'ConditionalRequestConflict');
  script = [missing, conflict, conflict, conflict, accept, missing, accept];
  const known = store();
  await known.put(integrity, bytes);
  const next = Buffer.from('other bytes');
  await known.put(computeIntegrity(next), next);
  expect(features().slice(-2)).toEqual(['checksum', 'checksum+condition']);
});

test('a server that implements no PUT is reported with what it must support', async () => {
  script = [missing, refuse(501, 'NotImplemented')];
  await expect(store().put(integrity, bytes)).rejects.toThrow(
    /does not implement this request \(NotImplemented\); use one that supports GetObject, PutObject/,
  );
  expect(features()).toEqual(['checksum+condition', 'condition', 'checksum', '']);
});

test('a record added by another process stays unchanged', async () => {
  script = [missing, refuse(412, 'PreconditionFailed')];
  expect(await store().records.add('audit-1', bytes)).toBe(false);
  expect(requests.map(({ method, url }) => `${method} ${url}`)).toEqual([
    'HEAD /site/records/audit-1',
    expect.stringMatching(/^PUT \/site\/records\/audit-1/) as string,
  ]);
  expect(requests[1]?.headers['if-none-match']).toBe('*');
});

test('renews the date of an old blob', async () => {
  const head =
    (modified: Date): Answer =>
    (_request, response) =>
      response
        .writeHead(200, { 'content-length': bytes.length, 'last-modified': modified.toUTCString() })
        .end();
  script = [head(new Date('2020-01-01T00:00:00Z')), send(bytes), missing, missing, accept];
  await store().put(integrity, bytes);
  // The blob, then its two copies.
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'GET', 'GET', 'PUT']);

  requests = [];
  script = [head(new Date()), send(bytes), missing];
  await store().put(integrity, bytes);
  expect(requests.map(({ method }) => method)).toEqual(['HEAD', 'GET', 'GET', 'GET']);
});

test('retries when the server is overloaded', async () => {
  script = [refuse(503, 'SlowDown'), send(bytes)];
  expect(await store().get(integrity)).toEqual(bytes);
});

test('retries a truncated response', async () => {
  script = [cut(bytes), send(bytes)];
  expect(await store().get(integrity)).toEqual(bytes);
});

test('retries bytes with a wrong hash, and returns them unchanged if they stay wrong', async () => {
  script = [send(Buffer.from('some BYTES')), send(bytes)];
  expect(await store().get(integrity)).toEqual(bytes);

  requests = [];
  script = [send(Buffer.from('some BYTES'))];
  expect(await store().get(integrity)).toEqual(Buffer.from('some BYTES'));
  expect(requests).toHaveLength(3);
});

test('gives up after a limited number of attempts, with the reason', async () => {
  script = [cut(bytes)];
  const get = store().get(integrity);
  await expect(get).rejects.toThrow(ArtifactStoreError);
  await expect(get).rejects.toThrow(/^Cannot read from the bucket "site" at 127\.0\.0\.1:\d+: /);
  expect(requests).toHaveLength(3);

  requests = [];
  script = [refuse(500, 'InternalError')];
  await expect(store().get(integrity)).rejects.toThrow(
    /the server responds with 500 \(InternalError\); try again/,
  );
  expect(requests).toHaveLength(3);
});

test('a server that does not respond times out', async () => {
  script = [silent];
  await expect(store(50).has(integrity)).rejects.toThrow(
    /the server did not respond in time; check the network/,
  );
});

test('a server that stops in the middle of a body times out', async () => {
  script = [
    (_request, response) => {
      response.writeHead(200, { 'content-length': bytes.length });
      response.write(bytes.subarray(0, 3));
    },
  ];
  await expect(store(200).get(integrity)).rejects.toThrow(/the server did not respond in time/);
});

test.each<[string, Answer, RegExp]>([
  ['the bucket does not exist', refuse(404, 'NoSuchBucket'), /there is no such bucket; create it/],
  ['the key is unknown', refuse(403, 'InvalidAccessKeyId'), /correct AWS_ACCESS_KEY_ID/],
  ['the secret is wrong', refuse(403, 'SignatureDoesNotMatch'), /correct AWS_SECRET_ACCESS_KEY/],
  ['the permissions are insufficient', refuse(403, 'AccessDenied'), /they need s3:GetObject, s3:PutObject/],
  ['the region is wrong', refuse(301, 'PermanentRedirect'), /correct AWS_REGION/],
])('explains the remedy when %s, and reveals no secret', async (_, answer, remedy) => {
  script = [answer];
  const error = await store()
    .get(integrity)
    .catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(ArtifactStoreError);
  expect((error as Error).message).toMatch(remedy);
  expect((error as Error).message).not.toContain('a-secret');
});

test('reports a refused connection for all operations', async () => {
  server.close();
  const away = /the connection was refused; start the server, or correct S3_ENDPOINT/;
  const list = () => store().list()[Symbol.asyncIterator]().next();
  await expect(store().put(integrity, bytes)).rejects.toThrow(away);
  await expect(store().delete(integrity)).rejects.toThrow(away);
  await expect(list()).rejects.toThrow(away);
});

describe('after the SDK has located the bucket', () => {
  const key = `/site/blobs/${integrityHex(integrity).slice(0, 2)}/${integrityHex(integrity)}`;
  const asked = () => requests.map(({ method, url }) => `${method} ${url}`);

  async function shown(): Promise<ReturnType<typeof store>> {
    script = [missing];
    const known = store();
    expect(await known.has(integrity)).toBe(false);
    requests = [];
    return known;
  }

  test('reads without it, signed for the same region, with temporary credentials', async () => {
    client.destroy();
    client = new S3Client({
      endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
      region: 'eu-south-9',
      forcePathStyle: true,
      credentials: { accessKeyId: 'key', secretAccessKey: 'a-secret', sessionToken: 'a-token' },
    });
    const known = await shown();
    script = [send(bytes)];
    expect([await known.get(integrity), await known.has(integrity)]).toEqual([bytes, true]);
    expect(asked()).toEqual([`GET ${key}`, `HEAD ${key}`]);
    for (const { headers } of requests) {
      const [, day] = /^(\d{8})T\d{6}Z$/.exec(String(headers['x-amz-date'])) ?? [];
      expect(headers['x-amz-security-token']).toBe('a-token');
      expect(headers.authorization).toContain(`Credential=key/${day}/eu-south-9/s3/aws4_request, `);
      const named = 'host;x-amz-content-sha256;x-amz-date;x-amz-security-token';
      expect(headers.authorization).toContain(`SignedHeaders=${named}, `);
    }
    for (const request of requests)
      expect(request.headers.authorization).toContain(`Signature=${computeSignature(request, 'eu-south-9')}`);
  });

  /**
   * The server's computation: https://docs.aws.amazon.com/AmazonS3/latest/API/sig-v4-header-based-auth.html
   */
  function computeSignature({ method, url, headers }: IncomingMessage, region: string): string {
    const names = /SignedHeaders=([^,]+)/.exec(headers.authorization ?? '')?.[1] ?? '';
    const lines = names.split(';').map((name) => `${name}:${String(headers[name])}\n`);
    const content = String(headers['x-amz-content-sha256']);
    const canonical = [method, url, '', lines.join(''), names, content].join('\n');
    const time = String(headers['x-amz-date']);
    const scope = [time.slice(0, 8), region, 's3', 'aws4_request'];
    const hash = createHash('sha256').update(canonical).digest('hex');
    const hmac = (key: string | Buffer, text: string) => createHmac('sha256', key).update(text).digest();
    const secret = scope.reduce<string | Buffer>(hmac, 'AWS4a-secret');
    return hmac(secret, ['AWS4-HMAC-SHA256', time, scope.join('/'), hash].join('\n')).toString('hex');
  }

  test('a missing object is not requested twice', async () => {
    const known = await shown();
    expect([await known.get(integrity), await known.blobSize(integrity)]).toEqual([null, null]);
    expect(requests).toHaveLength(2);
  });

  test('an object shorter than its original size counts as missing', async () => {
    const known = await shown();
    script = [
      (_request, response) => response.writeHead(200, { 'content-length': 3, 'x-amz-meta-size': '10' }).end(),
    ];
    expect([await known.has(integrity), await known.blobSize(integrity)]).toEqual([false, 3]);
  });

  test.each([
    ['the server is overloaded', refuse(503, 'SlowDown')],
    ['a response is truncated', cut(bytes)],
    ['a connection is closed', ((_request, response) => response.destroy()) satisfies Answer],
  ])('falls back to the SDK when %s', async (_, answer) => {
    const known = await shown();
    script = [answer, send(bytes)];
    expect(await known.get(integrity)).toEqual(bytes);
    expect(asked()).toEqual([`GET ${key}`, `GET ${key}?x-id=GetObject`]);
  });

  test('the SDK reports problems with the bucket or permissions', async () => {
    const known = await shown();
    script = [refuse(404, 'NoSuchBucket')];
    await expect(known.get(integrity)).rejects.toThrow(/there is no such bucket; create it/);
    script = [refuse(403, 'AccessDenied')];
    await expect(known.has(integrity)).rejects.toThrow(/they need s3:GetObject/);
  });

  test('a server that does not respond times out without a retry', async () => {
    script = [missing];
    const known = store(100);
    await known.has(integrity);
    script = [silent];
    await expect(known.get(integrity)).rejects.toThrow(/the server did not respond in time/);
    expect(requests).toHaveLength(2);
  });
});
