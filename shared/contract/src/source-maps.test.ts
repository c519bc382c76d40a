import { gzipSync } from 'node:zlib';
import { packSourceMaps, readSourceMaps } from './source-maps.ts';

const map = (source: string) => ({ version: 3, sources: [source], names: [], mappings: 'AAAA' });

test('source maps are unpacked unchanged, by the path of their script', async () => {
  const maps = { 'a.js': map('a.ts'), 'pages/a.js': map('b.ts'), 'ü".js': map('c.ts') };
  const texts = Object.entries(maps).map(([path, each]) => [path, JSON.stringify(each)] as const);
  const packed = await packSourceMaps(new Map(texts));
  const parseMap = await readSourceMaps(packed as Buffer);
  for (const [path, each] of Object.entries(maps)) expect(parseMap(path)).toEqual(each);
  expect(parseMap('js')).toBeNull();
});

test('without maps there is no pack', async () => {
  expect(await packSourceMaps(new Map())).toBeNull();
});

test('a map that is too large is neither packed nor unpacked', async () => {
  const large = JSON.stringify({ ...map('large.ts'), names: ['x'.repeat(5 * 1024 * 1024)] });
  const packed = await packSourceMaps(
    new Map([
      ['large.js', large],
      ['small.js', JSON.stringify(map('s.ts'))],
    ]),
  );
  const parseMap = await readSourceMaps(packed as Buffer);
  expect([parseMap('large.js'), parseMap('small.js')]).toEqual([null, map('s.ts')]);
  expect((await readSourceMaps(gzipSync(`["large.js",${large}]`)))('large.js')).toBeNull();
});

test('a file with more lines than a version may have scripts is rejected before parsing', async () => {
  const lines = (count: number) => gzipSync(`["a.js",{}]${'\n'.repeat(count)}`);
  expect((await readSourceMaps(lines(2_000)))('a.js')).toEqual({});
  await expect(readSourceMaps(lines(2_001))).rejects.toThrow('at most 2000 source maps');
});

test.each([
  ['as large as it may be', 0, true],
  ['a byte larger', 1, false],
])('the size of a map is measured in bytes, not in characters: %s', async (_, more, isPacked) => {
  const [before, after] = JSON.stringify({ ...map('a.ts'), names: ['|'] }).split('|') as [string, string];
  const room = 4 * 1024 * 1024 - before.length - after.length;
  const text = before + 'é'.repeat(Math.floor(room / 2)) + 'x'.repeat((room % 2) + more) + after;
  const packed = await packSourceMaps(new Map([['a.js', text]]));
  expect(packed !== null).toBe(isPacked);
  if (packed) expect((await readSourceMaps(packed))('a.js')).toEqual(JSON.parse(text));
});

test('of too many maps the first ones are packed', async () => {
  const three = JSON.stringify({ ...map('x.ts'), names: ['x'.repeat(3 * 1024 * 1024)] });
  const packed = await packSourceMaps(
    new Map(Array.from({ length: 12 }, (_, index) => [`${index}.js`, three])),
  );
  const parseMap = await readSourceMaps(packed as Buffer);
  expect(Array.from({ length: 12 }, (_, index) => parseMap(`${index}.js`) !== null)).toEqual([
    ...Array.from({ length: 10 }, () => true),
    false,
    false,
  ]);
});

test('content that unpacks to more than the limit is rejected before it is in memory', async () => {
  await expect(readSourceMaps(gzipSync(Buffer.alloc(33 * 1024 * 1024)))).rejects.toThrow();
  await expect(readSourceMaps(Buffer.from('no gzip'))).rejects.toThrow();
});
