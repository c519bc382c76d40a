import { sharedSite } from './harness/shared-site.ts';
import { blockPages, sitePages } from './harness/site-pages.ts';
import { open, visitors } from './harness/visitor.ts';

const newVisitor = visitors();

const ask = (path: string) => fetch(sharedSite().url + path, { redirect: 'manual' });
const readText = async (path: string) => (await ask(path)).text();

/** The pages of the site, from its sitemap. */
async function listedPages(): Promise<string[]> {
  const sitemap = await readText('/sitemap.xml');
  return [...sitemap.matchAll(/<loc>([^<]+)<\/loc>/g)].map(([, url]) => new URL(url!).pathname);
}

interface Thing {
  '@type': string;
  [property: string]: unknown;
}

function structuredDataIn(html: string): Thing[] {
  const blocks = [...html.matchAll(/<script type="application\/ld\+json"[^>]*>([^]*?)<\/script>/g)];
  expect(blocks).toHaveLength(1);
  const { '@graph': graph } = JSON.parse(blocks[0]![1]!) as { '@graph': Thing[] };
  return graph;
}

/** Width and height from a PNG file's header. */
function pngSize(bytes: Buffer): [number, number] {
  expect(bytes.toString('latin1', 1, 4)).toBe('PNG');
  return [bytes.readUInt32BE(16), bytes.readUInt32BE(20)];
}

test('the sitemap lists every page, except for the search page, which asks not to be indexed', async () => {
  const pages = await Promise.all(
    [...sitePages, ...blockPages].map(async ({ path }) => ({ path, html: await readText(path) })),
  );
  const [hidden, indexed] = [true, false].map((isHidden) =>
    pages
      .filter(({ html }) => html.includes('<meta name="robots" content="noindex"') === isHidden)
      .map(({ path }) => path),
  );
  expect(hidden).toEqual(['/search']);
  expect(await listedPages()).toEqual(indexed?.sort());
});

test('every page has a unique title, description and preview image', async () => {
  const { url } = sharedSite();
  const pages = await listedPages();
  const seen = { title: new Set<string>(), description: new Set<string>(), image: new Set<string>() };
  for (const path of pages) {
    const html = await readText(path);
    const only = (pattern: RegExp) => {
      const found = [...html.matchAll(pattern)].map((match) => match[1]!);
      expect({ path, pattern: pattern.source, found }).toMatchObject({ found: [expect.any(String)] });
      return found[0]!;
    };
    const title = only(/<title>([^<]+)<\/title>/g);
    // The page's name, without the site's: unique.
    expect(new Set(title.split(' · ')).size).toBe(2);
    expect(only(/<meta property="og:locale" content="([^"]+)"/g)).toBe('en_US');
    const description = only(/<meta name="description" content="([^"]+)"/g);
    expect(only(/<link rel="canonical" href="([^"]+)"/g)).toBe(url + path);
    expect(only(/<meta property="og:url" content="([^"]+)"/g)).toBe(url + path);
    expect(only(/<meta property="og:title" content="([^"]+)"/g)).toBe(title);
    expect(only(/<meta property="og:description" content="([^"]+)"/g)).toBe(description);
    expect(only(/<meta name="twitter:card" content="([^"]+)"/g)).toBe('summary_large_image');
    const image = only(/<meta property="og:image" content="([^"]+)"/g);
    const answer = await fetch(image);
    expect([answer.status, answer.headers.get('content-type')]).toEqual([200, 'image/png']);
    expect(answer.headers.get('cross-origin-resource-policy')).toBe('cross-origin');
    expect(pngSize(Buffer.from(await answer.arrayBuffer()))).toEqual([1200, 630]);
    seen.title.add(title);
    seen.description.add(description);
    seen.image.add(image);
    expect(structuredDataIn(html)[0]).toMatchObject({ '@type': 'WebSite', name: 'Blocks' });
  }
  const all = pages.length;
  expect([seen.title.size, seen.description.size, seen.image.size]).toEqual([all, all, all]);
});

test('the company, the FAQ and the plans have structured data', async () => {
  const [company] = structuredDataIn(await readText('/about-us')).filter(
    (thing) => thing['@type'] === 'Organization',
  );
  expect(company).toMatchObject({
    name: 'Blocks',
    email: 'hello@blocks.example',
    telephone: '+13035550142',
    logo: `${sharedSite().url}/icon-512.png`,
    address: { '@type': 'PostalAddress', addressLocality: 'Boulder' },
  });
  const [faq] = structuredDataIn(await readText('/home')).filter((thing) => thing['@type'] === 'FAQPage');
  expect(faq?.['mainEntity']).toHaveLength(6);
  const products = structuredDataIn(await readText('/start')).filter((thing) => thing['@type'] === 'Product');
  expect(products.map(({ offers }) => offers)).toMatchObject([
    { '@type': 'Offer', price: '59.99', priceCurrency: 'USD' },
    { '@type': 'Offer', price: '65.99', priceCurrency: 'USD' },
    { '@type': 'AggregateOffer', lowPrice: '79.99', priceCurrency: 'USD', offerCount: 1 },
  ]);
});

test('robots.txt, llms.txt, security.txt and the manifest respond at the root, other files do not', async () => {
  const { url } = sharedSite();
  const robots = await ask('/robots.txt');
  expect([robots.headers.get('content-type'), robots.headers.get('x-robots-tag')]).toEqual([
    'text/plain; charset=utf-8',
    null,
  ]);
  expect(await robots.text()).toBe(`User-agent: *\nAllow: /\n\nSitemap: ${url}/sitemap.xml\n`);

  const llms = await readText('/llms.txt');
  expect(llms).toMatch(/^# Blocks\n\n> /);
  for (const path of await listedPages()) expect(llms).toContain(`](${url}${path})`);

  const security = await readText('/.well-known/security.txt');
  expect(security).toMatch(/^Contact: mailto:.+@/m);
  const expires = Date.parse(/^Expires: (.+)$/m.exec(security)?.[1] ?? '');
  expect(expires).toBeGreaterThan(Date.now());

  for (const path of ['/.well-known/nothing', '/robots.xml', '/og.png']) {
    expect([path, (await ask(path)).status]).toEqual([path, 404]);
  }
});

test('every icon in the document and the manifest has the stated size', async () => {
  const html = await readText('/home');
  for (const link of [
    '<link rel="icon" href="/favicon.ico" sizes="32x32">',
    '<link rel="icon" href="/favicon.svg" type="image/svg+xml">',
    '<link rel="apple-touch-icon" href="/apple-touch-icon.png">',
    '<link rel="manifest" href="/site.webmanifest">',
  ]) {
    expect(html).toContain(link);
  }
  expect((await ask('/favicon.svg')).headers.get('content-type')).toBe('image/svg+xml; charset=utf-8');
  const ico = await ask('/favicon.ico');
  expect(ico.headers.get('content-type')).toBe('image/x-icon');
  expect(Buffer.from(await ico.arrayBuffer()).readUInt16LE(4)).toBe(3);
  const touch = Buffer.from(await (await ask('/apple-touch-icon.png')).arrayBuffer());
  expect(pngSize(touch)).toEqual([180, 180]);

  const manifest = await ask('/site.webmanifest');
  expect(manifest.headers.get('content-type')).toBe('application/manifest+json; charset=utf-8');
  const { name, start_url, icons } = (await manifest.json()) as {
    name: string;
    start_url: string;
    icons: { src: string; sizes: string; type: string }[];
  };
  expect([name, start_url]).toEqual(['Blocks: managed API building blocks', '/home']);
  for (const { src, sizes } of icons.filter(({ type }) => type === 'image/png')) {
    const bytes = Buffer.from(await (await ask(src)).arrayBuffer());
    expect(pngSize(bytes).join('x')).toBe(sizes);
  }
});

test("a navigation within the site updates the page's meta tags, and violates nothing", async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${sharedSite().url}/home`);
  const count = (selector: string) => page.locator(selector).count();
  expect(await count('head script[type="application/ld+json"]')).toBe(1);
  expect(await count('head meta[property="og:image"]')).toBe(1);

  await page.locator('header').getByRole('link', { name: 'START building', exact: true }).click();
  await page.getByRole('heading', { level: 1, name: 'Start with one free month' }).waitFor();
  expect(await page.title()).toBe('Start free · Blocks');
  expect(await page.locator('head link[rel="canonical"]').getAttribute('href')).toBe(
    `${sharedSite().url}/start`,
  );
  expect(await count('head title')).toBe(1);
  expect(await count('head meta[name="description"]')).toBe(1);
  expect(await count('head meta[property="og:url"]')).toBe(1);
  // Tags of the previous page. Only crawlers read them, and crawlers do not navigate within a page.
  expect(await count('script[type="application/ld+json"]')).toBe(0);
  expect(await count('meta[property="og:image"]')).toBe(0);

  await page.goBack();
  await page.waitForFunction(() => document.title === 'Managed API building blocks · Blocks');
  expect(visitor.problems()).toEqual([]);
});
