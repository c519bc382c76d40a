import { gzipSync } from 'node:zlib';
import { plainBody } from '@site/server/encoded-body';
import { messageFor, allowsRange, readRange } from './message.ts';
import { kept, type Reply } from './reply.ts';

const plain = plainBody('abcdefghij'.repeat(50));
const packed = gzipSync(plain.identity);
const file: Reply = {
  status: 200,
  body: { ...plain, gzip: packed },
  headers: { 'Content-Type': 'text/css', 'Cache-Control': 'public, max-age=60' },
  revalidates: true,
  hasRanges: true,
};
const sent = (headers: Record<string, string>, method = 'GET', reply = file) => {
  const message = messageFor({ method, headers }, reply);
  return { ...message, length: message.bytes?.length ?? null };
};
const etag = `"${plain.tag}"`;

test('the preferred encoding, with its own ETag', () => {
  expect(sent({})).toMatchObject({
    status: 200,
    length: 500,
    headers: { ETag: etag, 'Content-Length': '500' },
  });
  expect(sent({ 'accept-encoding': 'br, gzip' })).toMatchObject({
    status: 200,
    bytes: packed,
    headers: {
      'Content-Encoding': 'gzip',
      'Content-Length': String(packed.length),
      ETag: `"${plain.tag}-gzip"`,
      Vary: 'Accept-Encoding',
    },
  });
});

test('304 if the client has the current version', () => {
  const same = sent({ 'if-none-match': etag });
  expect(same).toMatchObject({ status: 304, bytes: null, headers: { ETag: etag } });
  expect(same.headers['Content-Length']).toBeUndefined();
  expect(sent({ 'if-none-match': etag, 'accept-encoding': 'gzip' }).status).toBe(200);
  expect(sent({ 'if-none-match': etag }, 'GET', { ...file, revalidates: false }).status).toBe(200);
});

test('the requested range of the identity encoding', () => {
  expect(sent({ range: 'bytes=10-19', 'accept-encoding': 'gzip' })).toMatchObject({
    status: 206,
    length: 10,
    headers: { 'Content-Range': 'bytes 10-19/500', 'Content-Length': '10', ETag: etag },
  });
  const beyond = sent({ range: 'bytes=500-' });
  expect(beyond).toMatchObject({ status: 416, bytes: null, headers: { 'Content-Range': 'bytes */500' } });
  expect([beyond.headers['Cache-Control'], beyond.headers['ETag']]).toEqual(['no-store', undefined]);
  expect(sent({ range: 'bytes=10-19' }, 'GET', { ...file, hasRanges: false }).status).toBe(200);
});

test('only headers for HEAD', () => {
  const head = sent({ range: 'bytes=10-19' }, 'HEAD');
  expect(head).toMatchObject({ status: 200, bytes: null, headers: { 'Content-Length': '500' } });
});

test("all default headers, with only the reply's own as overrides", () => {
  const { headers } = sent({}, 'GET', {
    status: 404,
    body: plain,
    headers: { 'Referrer-Policy': 'no-referrer' },
  });
  expect(headers).toMatchObject({
    'Cache-Control': 'no-store',
    'Content-Security-Policy': expect.stringContaining("default-src 'none'") as string,
    'Referrer-Policy': 'no-referrer',
    'Strict-Transport-Security': 'max-age=31536000',
    'X-Content-Type-Options': 'nosniff',
  });
});

describe('a shared reply', () => {
  const many = kept(file);
  const packedFor = { 'accept-encoding': 'gzip' };

  test('builds its headers once per encoding', () => {
    expect(sent({}, 'GET', many).headers).toBe(sent({}, 'GET', many).headers);
    expect(sent(packedFor, 'GET', many).headers).toBe(sent(packedFor, 'GET', many).headers);
    expect(sent(packedFor, 'GET', many).headers).not.toBe(sent({}, 'GET', many).headers);
  });

  test('supports all other forms', () => {
    sent({}, 'GET', many);
    for (const [headers, method] of [
      [{}, 'HEAD'],
      [{ 'if-none-match': etag }, 'GET'],
      [{ range: 'bytes=10-19' }, 'GET'],
      [{ range: 'bytes=500-' }, 'GET'],
    ] as [Record<string, string>, string][])
      expect(sent(headers, method, many)).toEqual(sent(headers, method, file));
  });
});

test.each([
  ['bytes=0-0', { start: 0, end: 0 }],
  ['bytes=0-', { start: 0, end: 99 }],
  ['bytes=10-19', { start: 10, end: 19 }],
  ['bytes=90-1000', { start: 90, end: 99 }],
  ['bytes=-1', { start: 99, end: 99 }],
  ['bytes=-1000', { start: 0, end: 99 }],
  ['bytes=99-', { start: 99, end: 99 }],
  ['bytes=100-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  // The whole file:
  [undefined, null],
  ['bytes=-', null],
  ['bytes=5-4', null],
  ['bytes=0-1,5-6', null],
  ['lines=0-1', null],
  ['bytes=a-b', null],
  ['bytes=0x1-2', null],
])('for 100 bytes, %j selects %j', (header, range) => {
  expect(readRange(header, 100)).toEqual(range);
});

test('an empty file has no satisfiable range', () => {
  expect([readRange('bytes=0-', 0), readRange('bytes=-5', 0)]).toEqual(['unsatisfiable', 'unsatisfiable']);
});

test('If-Range with another representation disables ranges', () => {
  expect(allowsRange(undefined, '"a"')).toBe(true);
  expect(allowsRange('"a"', '"a"')).toBe(true);
  expect(allowsRange('"a-br"', '"a"')).toBe(false);
  expect(allowsRange('W/"a"', '"a"')).toBe(false);
  expect(allowsRange('Wed, 21 Oct 2026 07:28:00 GMT', '"a"')).toBe(false);
});
