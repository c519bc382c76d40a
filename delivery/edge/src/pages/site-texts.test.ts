import { runInNewContext } from 'node:vm';
import type { Release } from '@site/contract';
import { excludesCrawlers, siteTexts, type ListedPage } from './site-texts.ts';

const release: Release = {
  id: 'r7',
  channel: 'production',
  kind: 'activate',
  apps: {},
  lastGood: {},
  config: {
    origin: 'https://www.example.com',
    mode: 'production',
    gateway: { base: 'https://api.example.com/gateway/', appId: 'a' },
    forms: { base: '', appId: '' },
  },
  by: 'test',
  reason: 'because',
  at: '2026-02-03T04:05:06.000Z',
  parent: null,
};
const builtAt = '2026-01-02T03:04:05.000Z';
const pages: ListedPage[] = [
  {
    path: '/start',
    builtAt,
    title: 'Start [free] · Blocks',
    description: null,
    siteName: 'Blocks',
    isHidden: false,
  },
  {
    path: '/home',
    builtAt,
    title: 'Home · Blocks',
    description: 'All the parts.',
    siteName: 'Blocks',
    isHidden: false,
  },
  { path: '/late', builtAt, title: null, description: null, siteName: null, isHidden: false },
  { path: '/hidden', builtAt, title: 'Hidden', description: null, siteName: 'Blocks', isHidden: true },
];
const shipped = new Map([
  ['/security.txt', 'Preferred-Languages: en\n'],
  ['/site.webmanifest', '{"name":"{brand}: parts","short_name":"{brand}"}'],
]);
const texts = siteTexts({ release, pages, home: '/home', shipped });
const nothing = new Map<string, string>();
const renderTexts = (brand: Release['config']['brand'], files = shipped) =>
  siteTexts({
    release: { ...release, config: { ...release.config, brand } },
    pages,
    home: null,
    shipped: files,
  });
const staging: Release = {
  ...release,
  config: { ...release.config, mode: 'staging', origin: 'https://staging.example.com' },
};

test("the sitemap lists every page with the release's origin and the build date of its remote", () => {
  expect(texts.get('/sitemap.xml')).toBe(`<?xml version="1.0" encoding="UTF-8"?>
<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">
  <url><loc>https://www.example.com/home</loc><lastmod>2026-01-02</lastmod></url>
  <url><loc>https://www.example.com/late</loc><lastmod>2026-01-02</lastmod></url>
  <url><loc>https://www.example.com/start</loc><lastmod>2026-01-02</lastmod></url>
</urlset>
`);
});

test('robots.txt of production allows crawling and references the sitemap', () => {
  expect(texts.get('/robots.txt')).toBe(
    'User-agent: *\nAllow: /\n\nSitemap: https://www.example.com/sitemap.xml\n',
  );
});

test('robots.txt of any other site disallows all crawlers', () => {
  const there = siteTexts({ release: staging, pages, home: '/home', shipped: nothing });
  expect(there.get('/robots.txt')).toBe('User-agent: *\nDisallow: /\n');
});

test('llms.txt describes the site, its pages and its services', () => {
  expect(texts.get('/llms.txt')).toBe(`# Blocks

> All the parts.

## Pages

- [Home](https://www.example.com/home): All the parts.
- [/late](https://www.example.com/late)
- [Start \\[free\\]](https://www.example.com/start)

## API

- [Gateway (OpenAPI)](https://api.example.com/gateway/openapi.json): guests and their tokens
`);
});

test.each([
  ['Good.\n- [Evil](https://evil.example)', 'Good. - \\[Evil\\](https:\\//evil.example)'],
  ['a\u2028# b\r\n\u202E c', 'a # b c'],
  ['Daten\u00ADschutz und Inter\u200Boperability', 'Datenschutz und Interoperability'],
  [
    '](https://evil.example) <https://evil.example> `a` *b* &lt;',
    '\\](https:\\//evil.example) \\<https:\\//evil.example\\> \\`a\\` \\*b\\* \\&lt;',
  ],
  ['# Heading', '\\# Heading'],
  ['1. Item', '1\\. Item'],
  [
    'Plain text, 2 < 3 & R&D: 15+ blocks - all of them (really).',
    'Plain text, 2 \\< 3 & R&D: 15+ blocks - all of them (really).',
  ],
])('a title or description cannot add a line, link or heading to llms.txt: %j', (text, told) => {
  const hostile = [
    { path: '/evil', builtAt, title: text, description: text, siteName: null, isHidden: false },
  ];
  const lines = siteTexts({ release, pages: hostile, home: null, shipped: nothing })
    .get('/llms.txt')
    ?.split('\n');
  expect(lines?.slice(4, 7)).toEqual([`- [${told}](https://www.example.com/evil): ${told}`, '', '## API']);
});

test('security.txt has a contact and expires a year after the release', () => {
  expect(renderTexts({ name: 'Acme', email: 'a@example.com' }).get('/security.txt'))
    .toBe(`Contact: mailto:a@example.com
Preferred-Languages: en
Canonical: https://www.example.com/.well-known/security.txt
Expires: 2027-02-03T04:05:06.000Z
`);
});

test.each([
  [{ name: 'Acme', email: '', contact: 'https://acme.test/write' }, 'https://acme.test/write'],
  [{ name: 'Acme' }, 'https://www.example.com/support'],
])('a brand without an email address uses another contact: %j', (brand, contact) => {
  expect(renderTexts(brand).get('/security.txt')).toMatch(`Contact: ${contact}\n`);
});

test('contacts written by an older shell are not extended', () => {
  const previous = new Map([['/security.txt', 'Contact: mailto:b@example.com\n']]);
  const text = renderTexts({ name: 'Acme', email: 'a@example.com' }, previous).get('/security.txt');
  expect(text?.match(/^Contact: .*$/gm)).toEqual(['Contact: mailto:b@example.com']);
});

test("the manifest contains the brand's name, whatever its characters", () => {
  const manifest = renderTexts({ name: 'A "$&" B' }).get('/site.webmanifest') ?? '';
  expect(JSON.parse(manifest)).toEqual({ name: 'A "$&" B: parts', short_name: 'A "$&" B' });
  expect(texts.get('/site.webmanifest')).toContain('"www.example.com"');
});

test('files that the shell does not ship are absent', () => {
  expect(siteTexts({ release, pages, home: null, shipped: nothing }).has('/security.txt')).toBe(false);
});

const noServices = { gateway: { base: '', appId: '' }, forms: { base: '', appId: '' } } as const;

test.each([
  ['production', 'https://www.example.com', false],
  ['staging', 'https://staging.example.com', true],
  ['staging', 'https://localhost.example.com', true],
  ['staging', 'http://10.0.0.5:8080', true],
  ['staging', 'https://127.example.com', true],
  // No crawler reaches these, and they should measure as production does.
  ['staging', 'http://localhost:8080', false],
  ['staging', 'http://site.localhost', false],
  ['staging', 'http://127.0.0.1:8080', false],
  ['staging', 'http://[::1]:8080', false],
] as const)('a %s site at %s: noindex is %s', (mode, origin, away) => {
  expect(excludesCrawlers({ mode, origin, ...noServices })).toBe(away);
});

test('the paths of former service workers serve one that removes itself', async () => {
  const config = { ...release.config, formerWorkers: ['/sw.js', '/static/worker.js'] };
  const texts = siteTexts({ release: { ...release, config }, pages, home: null, shipped: new Map() });
  expect(texts.get('/static/worker.js')).toBe(texts.get('/sw.js'));

  const done: string[] = [];
  const handlers = new Map<string, (event: object) => void>();
  const self = {
    addEventListener: (name: string, handler: (event: object) => void) => handlers.set(name, handler),
    skipWaiting: () => done.push('skip waiting'),
    registration: { unregister: () => Promise.resolve(done.push('unregister')) },
    clients: {
      matchAll: () => [{ url: 'https://www.example.com/home', navigate: (url: string) => done.push(url) }],
    },
  };
  const caches = { keys: () => ['old'], delete: (name: string) => done.push(`delete ${name}`) };
  runInNewContext(texts.get('/sw.js') ?? '', { self, caches });
  handlers.get('install')?.({});
  let active: unknown;
  handlers.get('activate')?.({ waitUntil: (work: unknown) => void (active = work) });
  await active;
  expect(done).toEqual(['skip waiting', 'delete old', 'unregister', 'https://www.example.com/home']);
});
