import type { EncodedBody } from './encoded-body.ts';
import { addEncoding, chooseEncoding, bodyEtag, matchesEtag } from './negotiate.ts';

const text = Buffer.from('x');
const all: EncodedBody = { identity: text, br: text, gzip: text, tag: 'tag' };

test.each([
  [undefined, 'identity'],
  ['', 'identity'],
  ['gzip, deflate, br, zstd', 'br'],
  ['gzip', 'gzip'],
  ['x-gzip', 'gzip'],
  ['BR', 'br'],
  ['br;q=0, gzip', 'gzip'],
  ['br;q=0.2, gzip;q=0.8', 'gzip'],
  ['*', 'br'],
  ['*;q=0', 'identity'],
  ['identity, br;q=0.5', 'identity'],
  ['br;q=nonsense, gzip;q=0.1', 'gzip'],
  ['deflate', 'identity'],
  // At equal weights, the smaller response wins.
  ['gzip, identity', 'gzip'],
  ['br, identity', 'br'],
  ['gzip;q=0.5, identity;q=0.5', 'gzip'],
  ['gzip;q=0.5, br;q=0.5', 'br'],
  ['gzip;q=0.4, identity;q=0.5', 'identity'],
  ['gzip;q=0, identity;q=0', 'identity'],
])('for "Accept-Encoding: %s" responds with %s', (header, encoding) => {
  expect(chooseEncoding(header, all)).toBe(encoding);
});

test('never chooses a missing encoding', () => {
  expect(chooseEncoding('br, gzip', { ...all, br: null })).toBe('gzip');
  expect(chooseEncoding('br, gzip', { ...all, br: null, gzip: null })).toBe('identity');
});

test('each encoding has its own ETag', () => {
  expect([bodyEtag(all, 'identity'), bodyEtag(all, 'br'), bodyEtag(all, 'gzip')]).toEqual([
    '"tag"',
    '"tag-br"',
    '"tag-gzip"',
  ]);
});

test.each([
  ['"tag"', true],
  ['W/"tag"', true],
  ['"other", "tag"', true],
  ['*', true],
  ['"other"', false],
  ['tag', false],
  [undefined, false],
])('If-None-Match: %s matches: %s', (header, matches) => {
  expect(matchesEtag(header, '"tag"')).toBe(matches);
});

test('gzip is created once, for clients that prefer it to the existing encodings', async () => {
  const addGzip = jest.fn(() => text);
  const body: EncodedBody = { identity: text, br: text, gzip: null, tag: 'tag', addGzip };
  for (const header of [undefined, 'br, gzip', 'identity, gzip;q=0.5']) await addEncoding(header, body);
  await addEncoding('gzip', { ...body, gzip: text });
  expect(addGzip).not.toHaveBeenCalled();
  await addEncoding('gzip', body);
  expect(addGzip).toHaveBeenCalledTimes(1);
});
