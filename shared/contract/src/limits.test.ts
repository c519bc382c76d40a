import * as v from 'valibot';
import { RemoteConfigSchema } from './remote-config.schema.ts';
import { VersionManifestSchema } from './version-manifest.schema.ts';

const file = (path: string, size: number = 10) => ({ path, size, integrity: `sha384-${'A'.repeat(64)}` });
const manifest = {
  schema: 1,
  kind: 'remote',
  app: 'mfe-blocks',
  version: '1.0.0-000000000001',
  owner: 'blocks',
  commit: null,
  builtAt: '2026-01-01T00:00:00.000Z',
  assets: [file('entry.js')],
  server: file('server.js'),
  entry: 'entry.js',
  pages: [{ path: '/blocks', module: './page', js: [], css: [] }],
  redirects: [],
  requires: {},
};
const times = <T>(count: number, one: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => one(index));
const page = (index: number) => ({ path: `/p${index}`, module: './page', js: [], css: [] });
const card = (character: string) => ({ file: 'card.png', text: character.repeat(60) });
const variants = (count: number) => Object.fromEntries(times(count, (index) => [`v${index}`, ['a', 'b']]));
const complaints = (more: object) =>
  v.safeParse(VersionManifestSchema, { ...manifest, ...more }).issues?.map(({ message }) => message) ?? [];

test.each([
  [
    'pages',
    { pages: times(500, page) },
    { pages: times(501, page) },
    'There are 501 pages; a version has at most 500.',
  ],
  [
    'redirects',
    { redirects: times(500, (index) => ({ from: `/r${index}`, to: '/blocks' })) },
    { redirects: times(501, (index) => ({ from: `/r${index}`, to: '/blocks' })) },
    'There are 501 redirects; a version has at most 500.',
  ],
  [
    'assets',
    { assets: times(2000, (index) => file(`a${index}.js`)) },
    { assets: times(2001, (index) => file(`a${index}.js`)) },
    'There are 2001 assets; a version has at most 2000.',
  ],
  [
    'bytes',
    { server: file('server.js', 64 * 1024 * 1024 - 10) },
    { server: file('server.js', 64 * 1024 * 1024 - 9) },
    'All files together have 67108865 bytes; a version has at most 67108864.',
  ],
  [
    'choices of a page',
    { pages: [{ ...page(1), variants: variants(6) }] },
    { pages: [{ ...page(1), variants: variants(30) }] },
    'The variants of this page multiply to 1073741824 choices; a page has at most 64.',
  ],
  [
    'scripts of a page',
    { pages: [{ ...page(1), js: times(40, (index) => `a${index}.js`) }] },
    { pages: [{ ...page(1), js: times(41, (index) => `a${index}.js`) }] },
    'There are 41 files in one list (.js); a version has at most 40.',
  ],
  [
    'stylesheets of a page',
    { pages: [{ ...page(1), css: times(40, (index) => `a${index}.css`) }] },
    { pages: [{ ...page(1), css: times(41, (index) => `a${index}.css`) }] },
    'There are 41 files in one list (.css); a version has at most 40.',
  ],
  [
    'shared modules',
    { requires: Object.fromEntries(times(100, (index) => [`m${index}`, '*'])) },
    { requires: Object.fromEntries(times(101, (index) => [`m${index}`, '*'])) },
    'There are 101 shared modules; a version has at most 100.',
  ],
  [
    'what every visitor gets',
    { pages: times(20, (index) => ({ ...page(index), js: times(20, (n) => `${'x'.repeat(190)}${n}.js`) })) },
    { pages: times(30, (index) => ({ ...page(index), js: times(20, (n) => `${'x'.repeat(190)}${n}.js`) })) },
    'Pages, redirects and script names together have 120009 bytes as JSON; a version has at most 100000, because every visitor loads them.',
  ],
  [
    'what every visitor gets, in bytes of UTF-8',
    { pages: times(400, (index) => ({ ...page(index), card: card('x') })) },
    { pages: times(400, (index) => ({ ...page(index), card: card('€') })) },
    'Pages, redirects and script names together have 107509 bytes as JSON; a version has at most 100000, because every visitor loads them.',
  ],
  [
    'renderings',
    { pages: times(31, (index) => ({ ...page(index), variants: variants(6) })) },
    { pages: times(32, (index) => ({ ...page(index), variants: variants(6) })) },
    'The pages have 2048 renderings (each counts once for every choice of its variants); a version has at most 2000.',
  ],
])('a version has a limit of %s, and the error names both numbers', (_what, within, beyond, message) => {
  expect(complaints(within)).toEqual([]);
  expect(complaints(beyond)).toContain(message);
});

test.each([
  [
    'a stylesheet forty times',
    { pages: [{ ...page(1), css: Array<string>(40).fill('a.css') }] },
    'A file is listed twice.',
  ],
  ['a script twice', { pages: [{ ...page(1), js: ['a.js', 'a.js'] }] }, 'A file is listed twice.'],
  [
    "a script in a stylesheet's place",
    { pages: [{ ...page(1), css: ['a.js'] }] },
    'This list takes only files of one kind: .css.',
  ],
  [
    "a page in a script's place",
    { pages: [{ ...page(1), js: ['a.html'] }] },
    'This list takes only files of one kind: .js.',
  ],
  ['an owner of two lines', { owner: 'a\u2028b' }, expect.stringContaining('line') as string],
  [
    'an owner that is written backwards',
    { owner: 'a\u202Eb' },
    expect.stringContaining('direction of writing') as string,
  ],
  [
    'a card that is written backwards',
    { pages: [{ ...page(1), card: { file: 'a.png', text: 'abc\u2066d' } }] },
    expect.stringContaining('direction of writing') as string,
  ],
])('a manifest with %s is rejected', (_what, more, message) => {
  expect(complaints(more)).toContainEqual(message);
});

test("a remote's build checks the limits", () => {
  const config = {
    name: 'mfe-blocks',
    owner: 'blocks',
    pages: [{ path: '/blocks', page: './src/page.tsx', variants: variants(7) }],
    redirects: times(501, (index) => ({ from: `/r${index}`, to: '/blocks' })),
  };
  expect(v.safeParse(RemoteConfigSchema, config).issues?.map(({ message }) => message)).toEqual([
    'The variants of this page multiply to 128 choices; a page has at most 64.',
    'There are 501 redirects; a version has at most 500.',
  ]);
});
