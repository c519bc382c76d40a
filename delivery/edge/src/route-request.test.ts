import { loadRelease, type LiveRelease } from './load-release.ts';
import { routeRequest } from './route-request.ts';
import { createMemoryStore } from './testing/memory-store.ts';
import { createSampleRelease } from './testing/sample-release.ts';

let live: LiveRelease;
beforeAll(async () => {
  const store = createMemoryStore();
  live = await loadRelease(createSampleRelease(store, { id: 'r1' }), store);
});

const drawFirst = () => 'headline=a';

test.each([
  ['/nope', 'redirect', '302 /home'],
  ['/nope/deeper?a=1', 'redirect', '302 /home?a=1'],
  ['/HOME', 'redirect', '302 /home'],
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
  ['/start#fragment', 'document', ''],
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
  ['/assets/shell/..%2f..%2f..%2fetc%2fpasswd', 'old-asset', ''],
  ['/assets/%2e%2e/%2e%2e/etc/passwd', 'old-asset', ''],
  ['/../../etc/passwd', 'redirect', '302 /home'],
  ['/assets/constructor/prototype', 'old-asset', ''],
  ['/_preview?token=a.b.c&path=/start', 'open-preview', ''],
  ['/_preview', 'open-preview', ''],
  ['/_preview/leave', 'leave-preview', ''],
  ['/_preview/other', 'redirect', '302 /home'],
  ['/constructor', 'redirect', '302 /home'],
  ['/__proto__', 'redirect', '302 /home'],
])('%s is a %s %s', (target, kind, redirect) => {
  const answer = routeRequest(target, live, drawFirst);
  expect(answer.kind).toBe(kind);
  expect(answer.kind === 'redirect' ? `${answer.status} ${answer.location}` : '').toBe(redirect);
});

test('asks for the variant of a page that has variants only', () => {
  const draw = jest.fn(() => 'headline=b');
  expect(routeRequest('/start', live, draw)).toMatchObject({ kind: 'document', drawn: false });
  expect(draw).not.toHaveBeenCalled();
  const home = live.pages.get('/home')?.documents.get('headline=b');
  expect(routeRequest('/home', live, draw)).toEqual({ kind: 'document', document: home, drawn: true });
});

test('leaves an operational path to the page that owns it', () => {
  const page = live.pages.get('/start');
  const pages = new Map([...live.pages, ['/metrics', page as NonNullable<typeof page>]]);
  expect(routeRequest('/metrics', { ...live, pages }, drawFirst).kind).toBe('document');
  expect(routeRequest('/metrics', live, drawFirst).kind).toBe('metrics');
});

test('leads nowhere when the release declares no target for unknown paths', () => {
  const redirects = new Map([...live.redirects].filter(([from]) => from !== '*'));
  expect(routeRequest('/nope', { ...live, redirects }, drawFirst).kind).toBe('not-found');
});

test('before the first release answers operational paths only', () => {
  expect(routeRequest('/home', null, drawFirst).kind).toBe('no-release');
  expect(routeRequest('/', null, drawFirst).kind).toBe('no-release');
  expect(routeRequest('/healthz', null, drawFirst).kind).toBe('health');
});
