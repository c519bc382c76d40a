import { createHash } from 'node:crypto';
import type { BootData } from '@site/contract';
import { assembleDocument, type DocumentParts } from './document.ts';

const integrity = `sha384-${'A'.repeat(64)}`;
const boot: BootData = {
  frame: 'frame',
  shell: '1.0.0-0123456789ab',
  shellScripts: ['main.js'],
  channel: 'production',
  config: {
    origin: 'https://www.example.com',
    mode: 'production',
    gateway: { base: '', appId: '' },
    forms: { base: '', appId: '' },
  },
  remotes: [],
  routes: [],
  redirects: [],
  variants: {},
  rendered: '/home',
};
const parts: DocumentParts = {
  inlineScripts: ['theme()'],
  styles: [
    { href: '/assets/shell/main.css', css: 'body{margin:0}' },
    { href: '/assets/mfe-marketing/home.css', css: '@font-face{src:url(/assets/mfe-marketing/a.woff2)}' },
  ],
  fonts: [{ href: '/assets/shell/sans.woff2', type: 'font/woff2' }],
  preloads: [{ href: '/assets/mfe-marketing/remoteEntry.js', integrity }],
  entry: { href: '/assets/shell/main.js', integrity },
  rootFiles: ['favicon.svg', 'robots.txt'],
  card: null,
  page: { head: '<title>Home</title>', html: '<main>Hello</main>' },
  boot,
  banner: null,
};

const between = (html: string, pattern: RegExp) =>
  [...html.matchAll(pattern)].map((match) => match[1] as string);
const sha256 = (text: string) => `sha256-${createHash('sha256').update(text).digest('base64')}`;

test('contains data, scripts, styles, fonts, page head, preloads, entry and page', () => {
  const { html } = assembleDocument(parts);
  expect(html).toMatch(/^<!doctype html><html lang="en"><head><meta charset="utf-8">/);
  const order = [
    '<script type="application/json" id="boot-data">{"frame":"frame"',
    '<meta name="viewport" content="width=device-width, initial-scale=1">',
    '<script>theme()</script>',
    '<style data-href="/assets/shell/main.css">body{margin:0}</style>',
    '<style data-href="/assets/mfe-marketing/home.css">@font-face{src:url(/assets/mfe-marketing/a.woff2)}</style>',
    '<link rel="preload" as="font" type="font/woff2" crossorigin href="/assets/shell/sans.woff2">',
    '<title>Home</title>',
    `[["/assets/mfe-marketing/remoteEntry.js","${integrity}"]].forEach(`,
    `<script defer fetchpriority="low" crossorigin="anonymous" integrity="${integrity}" src="/assets/shell/main.js"></script>`,
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '</head><body><div id="root" data-sent="3 5"><main>Hello</main></div>',
  ].map((part) => html.indexOf(part));
  expect(order).not.toContain(-1);
  expect(order).toEqual(order.toSorted((one, other) => one - other));
});

test('the preview image has its size and alt text, and is marked as belonging to the first page', () => {
  const card = {
    url: 'https://www.example.com/assets/mfe-marketing/cards/home.png',
    text: 'A "first" & last',
  };
  const { html } = assembleDocument({ ...parts, card });
  expect(html).toContain(`<meta property="og:image" content="${card.url}" data-first-page>`);
  expect(html).toContain('<meta property="og:image:width" content="1200" data-first-page>');
  expect(html).toContain('<meta property="og:image:height" content="630" data-first-page>');
  expect(html).toContain(
    '<meta property="og:image:alt" content="A &quot;first&quot; &amp; last" data-first-page>',
  );
  expect(html).toContain('<meta name="twitter:card" content="summary_large_image">');
});

test('a page without a preview image has no image tags', () => {
  expect(assembleDocument(parts).html).not.toMatch(/og:image|twitter:card/);
});

test('returns the hash of every inline script and style, as browsers compute it', () => {
  const { html, inline } = assembleDocument({
    ...parts,
    inlineScripts: ['\uFEFFtheme("é")\r\n', 'other()'],
    styles: [{ href: '/a.css', css: 'a{content:"é"}\r\nb{}' }],
  });
  // Browsers normalize CRLF to LF before hashing.
  const asParsed = html.replaceAll('\r\n', '\n');
  expect(inline.scripts).toEqual(between(asParsed, /<script>([^]*?)<\/script>/g).map(sha256));
  expect(inline.styles).toEqual(between(asParsed, /<style[^>]*>([^]*?)<\/style>/g).map(sha256));
  // The last one starts the preloads.
  expect(inline.scripts).toHaveLength(3);
  expect(html).not.toContain('\r');
});

test('CSS cannot close its element', () => {
  const css = 'a{background:url("data:image/svg+xml,<svg><style>b{}</style></svg>")}';
  const { html } = assembleDocument({ ...parts, styles: [{ href: '/a.css', css }] });
  expect(between(html, /<style[^>]*>([^]*?)<\/style>/g)).toEqual([css.replace('</style', '<\\/style')]);
});

test('rejects an inline script that would close its element', () => {
  expect(() => assembleDocument({ ...parts, inlineScripts: ['a("</script>")'] })).toThrow(
    'would end it early',
  );
});

test('data cannot close its element or open a comment, and is parsed back unchanged', () => {
  const reason = '</script><!--<script>\u2028\u2029&amp;"\\';
  const { html } = assembleDocument({ ...parts, boot: { ...boot, channel: reason } });
  const [block = ''] = between(html, /<script type="application\/json" id="boot-data">([^]*?)<\/script>/g);
  expect(block).not.toMatch(/[<\u2028\u2029]/);
  expect(JSON.parse(block)).toEqual({ ...boot, channel: reason });
});

test("the release data precede all markup of a page's team", () => {
  const forged = '<script type="application/json" id="boot-data">{"release":"forged"}</script>';
  const { html } = assembleDocument({
    ...parts,
    styles: [{ href: '/a.css', css: `</style>${forged}` }],
    page: { head: forged, html: forged },
  });
  const [first = ''] = between(html, /id="boot-data">([^]*?)<\/script>/g);
  expect(JSON.parse(first)).toEqual(boot);
});

test('leaves the root empty if the shell must render the page', () => {
  const { html } = assembleDocument({ ...parts, page: null, boot: { ...boot, rendered: null } });
  expect(html).toContain('<div id="root"></div>');
});

test('is deterministic', () => {
  expect(assembleDocument(parts)).toEqual(assembleDocument(structuredClone(parts)));
});

test.each([
  ['<p>a<!-- -->b <b>c</b></p><input/>', '8 4'],
  ['<p title="a &gt; b">x</p> <svg><title>y</title><path d="M0"/></svg>', '8 3'],
])('measures the nodes and the text of the root with %s', (html, sent) => {
  expect(assembleDocument({ ...parts, page: { head: '', html } }).html).toContain(
    `<div id="root" data-sent="${sent}">`,
  );
});

test('phones must not turn texts into links', () => {
  expect(assembleDocument(parts).html).toContain(
    '<meta name="format-detection" content="telephone=no, date=no, address=no, email=no">',
  );
});
