import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { visitors } from './harness/visitor.ts';

const newVisitor = visitors();

/** The bytes that a browser must read before it can render a page. */
const limits = { elements: 730, bytes: 92_000 };
/** Pages with a lot of content: an API console, code samples in two languages, a calculator with its table, all blocks twice. */
const long: Record<string, typeof limits> = {
  '/home': { elements: 800, bytes: 109_000 },
  '/blocks': { elements: 800, bytes: 92_000 },
  '/developers': { elements: 1_160, bytes: 127_000 },
  '/agencies': { elements: 830, bytes: 108_500 },
};

test.each(sitePages)('the document of $path is within its size limits', async ({ path }) => {
  const html = await (await fetch(new URL(path, sharedSite().url))).text();
  const { elements, bytes } = long[path] ?? limits;
  expect(html.match(/<[a-z]/g)?.length).toBeLessThanOrEqual(elements);
  expect(Buffer.byteLength(html)).toBeLessThanOrEqual(bytes);
});

test.each(sitePages)('every image of $path loads, as an image without scripts', async ({ path }) => {
  const html = await (await fetch(new URL(path, sharedSite().url))).text();
  const pictures = new Set([...html.matchAll(/<img[^>]* src="([^"]*)"/g)].map(([, src = '']) => src));
  for (const src of pictures) {
    const { status, headers } = await fetch(new URL(src, sharedSite().url));
    expect([src, status, headers.get('content-type')]).toEqual([src, 200, 'image/svg+xml; charset=utf-8']);
    expect(headers.get('content-security-policy')).toContain("default-src 'none'");
    expect(headers.get('cache-control')).toContain('immutable');
  }
});

test.each(sitePages)(
  'nothing holds back the first paint of $path: no file of styles, no font asked for ahead',
  async ({ path }) => {
    const { headers, text } = await fetch(new URL(path, sharedSite().url)).then(async (response) => ({
      headers: response.headers,
      text: await response.text(),
    }));
    expect(text).not.toMatch(/<link[^>]*(rel="stylesheet"|as="(font|style)")/);
    expect(headers.get('link')).toBeNull();
  },
);

test.each(sitePages)(
  '$path fetches the pictures of its first view at once, on a phone and a desktop, and no others',
  async ({ path }) => {
    const [atOnce, seen] = [new Set<string>(), new Set<string>()];
    const { page } = await newVisitor();
    for (const viewport of [
      { width: 412, height: 823 },
      { width: 1_440, height: 900 },
    ]) {
      await page.setViewportSize(viewport);
      await page.goto(sharedSite().url + path);
      const pictures = await page.evaluate(() =>
        [...document.querySelectorAll<HTMLImageElement>('main img')].map((image) => {
          const { top, bottom } = image.getBoundingClientRect();
          return {
            src: image.src,
            isLazy: image.loading === 'lazy',
            isSeen: top < innerHeight && bottom > 0,
          };
        }),
      );
      for (const { src, isLazy, isSeen } of pictures) {
        if (!isLazy) atOnce.add(src);
        if (isSeen) seen.add(src);
      }
    }
    expect([...atOnce].toSorted()).toEqual([...seen].toSorted());
  },
);
