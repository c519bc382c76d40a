import * as v from 'valibot';
import {
  edgeAddresses,
  PagePathSchema,
  RedirectSchema,
  RootNameSchema,
  type EdgeAddress,
} from '@site/contract';
import type { LoadedRelease } from '../releases/loaded-release.ts';
import { loadRelease } from '../releases/load-release.ts';
import { readTarget } from './read-target.ts';
import { routeRequest, type Route } from './route-request.ts';
import { createMemoryStore } from '../testing/memory-store.ts';
import { createSampleRelease } from '../testing/sample-release.ts';

let release: LoadedRelease;
beforeAll(async () => {
  const store = createMemoryStore();
  release = await loadRelease(createSampleRelease(store, { id: 'r1' }), store);
});

const drawFirst = () => 'headline=a';

function route(target: string, release: LoadedRelease | null, draw: () => string, method = 'GET'): Route {
  return routeRequest({ method, target: readTarget(target) }, release, draw);
}

test.each([
  ['/nope', 'redirect', '302 /home'],
  ['/nope/deeper?a=1', 'redirect', '302 /home?a=1'],
  ['/HOME', 'redirect', '308 /home'],
  ['/company-policies/nope', 'redirect', '302 /home'],
  ['/start/', 'redirect', '308 /start'],
  ['/start//?a=/b/', 'redirect', '308 /start?a=/b/'],
  ['/blocks/auth/', 'redirect', '308 /blocks/auth'],
  ['/company/', 'redirect', '308 /about-us'],
  ['/auth-block?a=1', 'redirect', '308 /blocks?a=1#auth'],
  ['/%68ome', 'redirect', '308 /home'],
  ['/*', 'redirect', '302 /home'],
  ['//', 'redirect', '302 /home'],
  ['//evil.example', 'redirect', '302 /home'],
  ['//evil.example/x.png', 'not-found', ''],
  ['//evil.example/', 'redirect', '302 /home'],
  ['//evil.example/start/', 'redirect', '302 /home'],
  ['http://evil.example/start/', 'redirect', '308 /start'],
  ['/start#fragment', 'redirect', '308 /start'],
  ['/nope.png', 'not-found', ''],
  ['/.env', 'not-found', ''],
  ['/home.html', 'redirect', '302 /home'],
  ['/wp-login.php', 'redirect', '302 /home'],
  ['/.well-known/change-password', 'not-found', ''],
  ['/%', 'bad-request', ''],
  ['/%ff', 'bad-request', ''],
  ['/home%00', 'redirect', '302 /home'],
  ['/assets/', 'not-found', ''],
  ['/assets/shell', 'not-found', ''],
  ['/assets/shell/nope.js', 'old-asset', ''],
  ['/assets/../../../../etc/passwd', 'old-asset', ''],
  ['/assets/shell/../../../../etc/passwd', 'old-asset', ''],
  ['/assets/shell/..%2f..%2f..%2fetc%2fpasswd', 'not-found', ''],
  ['/assets/%2e%2e/%2e%2e/etc/passwd', 'not-found', ''],
  ['/%61ssets/shell/nope.js', 'not-found', ''],
  ['/../../etc/passwd', 'redirect', '302 /home'],
  ['/assets/constructor/prototype', 'old-asset', ''],
  ['/_preview?id=abc&path=/start', 'open-preview', ''],
  ['/_preview', 'open-preview', ''],
  ['/_preview/leave', 'leave-preview', ''],
  ['/_preview/other', 'redirect', '302 /home'],
  ['/constructor', 'redirect', '302 /home'],
  ['/__proto__', 'redirect', '302 /home'],
])('%s is a %s %s', (target, kind, redirect) => {
  const answer = route(target, release, drawFirst);
  expect(answer.kind).toBe(kind);
  expect(answer.kind === 'redirect' ? `${answer.status} ${answer.location}` : '').toBe(redirect);
});

test('a file has one address', () => {
  const [file = ''] = release.assets.keys();
  for (const [address, kind] of [
    [file, 'asset'],
    ['/robots.txt', 'root-file'],
  ] as const) {
    expect(route(address, release, drawFirst).kind).toBe(kind);
    const letter = address.charCodeAt(1).toString(16);
    for (const other of [`/%${letter}${address.slice(2)}`, `${address}#there`])
      expect(route(other, release, drawFirst).kind).toBe('not-found');
  }
});

test('requests a variant only for pages that have variants', () => {
  const draw = jest.fn(() => 'headline=b');
  expect(route('/start', release, draw)).toMatchObject({ kind: 'document', drawn: false });
  expect(draw).not.toHaveBeenCalled();
  const home = release.pages.get('/home')?.documents.get('headline=b');
  expect(route('/home', release, draw)).toEqual({
    kind: 'document',
    document: home,
    drawn: true,
    path: '/home',
  });
});

const ownKinds: Record<EdgeAddress, string> = {
  state: 'state',
  ready: 'ready',
  signals: 'signals',
  reports: 'method-not-allowed',
  search: 'search',
  preview: 'open-preview',
  leavePreview: 'leave-preview',
  assets: 'old-asset',
  robots: 'root-file',
  sitemap: 'root-file',
  llms: 'root-file',
  securityTxt: 'root-file',
  opsHealth: 'not-found',
  opsReady: 'not-found',
  opsMetrics: 'not-found',
};

test.each(Object.keys(edgeAddresses) as EdgeAddress[])(
  "a version cannot claim the edge's own address %s with a page or a redirect",
  (name) => {
    const path = name === 'assets' ? '/assets/mfe-blocks/x.js' : edgeAddresses[name];
    const page = release.pages.get('/start') as NonNullable<ReturnType<typeof release.pages.get>>;
    const root = release.rootFiles.get('/robots.txt') as NonNullable<
      ReturnType<typeof release.rootFiles.get>
    >;
    const hostile: LoadedRelease = {
      ...release,
      pages: new Map([...release.pages, [path, page]]),
      redirects: new Map([...release.redirects, [path, { from: path, to: '/start' }]]),
      rootFiles: new Map([...release.rootFiles, ['/security.txt', root]]),
    };
    expect(route(path, hostile, drawFirst).kind).toBe(ownKinds[name]);
    for (const claimed of [path, `${path}/more`, encodeURI(path)]) {
      expect(v.is(PagePathSchema, claimed)).toBe(false);
      expect(v.is(RedirectSchema, { from: claimed, to: '/start' })).toBe(false);
      expect(v.is(RedirectSchema, { from: '/other', to: claimed })).toBe(false);
    }
  },
);

test('the shell cannot replace the root texts that the edge generates', () => {
  for (const name of ['robots.txt', 'sitemap.xml', 'llms.txt'])
    expect(v.is(RootNameSchema, name)).toBe(false);
  for (const name of ['security.txt', 'favicon.svg', 'site.webmanifest'])
    expect(v.is(RootNameSchema, name)).toBe(true);
});

test('has no redirect if the release declares no target for unknown paths', () => {
  const redirects = new Map([...release.redirects].filter(([from]) => from !== '*'));
  expect(route('/nope', { ...release, redirects }, drawFirst).kind).toBe('not-found');
});

test("before the first release, only the edge's own addresses respond", () => {
  expect(route('/home', null, drawFirst).kind).toBe('no-release');
  expect(route('/', null, drawFirst).kind).toBe('no-release');
  expect(route('/__site/ready', null, drawFirst).kind).toBe('ready');
});

test.each([
  ['GET', '/start', 'document'],
  ['HEAD', '/start', 'document'],
  ['POST', '/start', 'method-not-allowed'],
  ['POST', '/_preview?id=abc', 'open-preview'],
  ['PUT', '/_preview?id=abc', 'method-not-allowed'],
  ['POST', '/_preview/leave', 'method-not-allowed'],
  ['', '/start', 'method-not-allowed'],
])('%s %s is a %s', (method, target, kind) => {
  expect(route(target, release, drawFirst, method).kind).toBe(kind);
});
