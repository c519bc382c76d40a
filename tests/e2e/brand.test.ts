import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Brand } from '@site/contract';
import { fullBrand } from '@site/registry/testing/brand';
import { checkLinks } from './harness/check-links.ts';
import { releaseData } from './harness/release-data.ts';
import { sitePages } from './harness/site-pages.ts';
import { brandFile, repository, startSite, type Site } from './harness/site.ts';
import { until } from './harness/until.ts';
import { open, visitors, type Visitor } from './harness/visitor.ts';

/** Rebrands a running site with one file and without source changes. The tests depend on each other. */

const newVisitor = visitors();

const first: Brand = {
  name: 'Quillon',
  legalName: 'Quillon Machines GmbH',
  application: { production: 'https://app.quillon.test', staging: 'https://try.quillon.test' },
  status: 'https://up.quillon.test/',
  support: 'https://desk.quillon.test/',
  contact: 'https://write.quillon.test/',
  documentation: 'https://read.quillon.test/',
  social: {
    x: 'https://x.com/quillon',
    linkedin: 'https://www.linkedin.com/company/quillon',
    instagram: 'https://www.instagram.com/quillon',
  },
  email: 'post@quillon.test',
  phone: '+49 (681) 999-1234',
  address: {
    street: 'Zinkweg 4',
    city: 'Saarlouis',
    region: 'Saarland',
    postalCode: '66740',
    country: 'Atlantis',
  },
  copyrightYear: '1987–1988',
};

let site: Site;
beforeAll(async () => {
  site = await startSite({ brand: first });
});
afterAll(() => site.stop());

/** Every text of a brand, plain and as pages and emails format it. */
function brandTraces(value: unknown): string[] {
  if (typeof value === 'object' && value !== null) return Object.values(value).flatMap(brandTraces);
  const text = String(value);
  if (text === '') return [];
  return /^\+/.test(text) ? [text, text.replaceAll(/[^+\d]/g, '')] : [text];
}

/** The texts that occur in another text, in any of these formats. */
const foundIn = (html: string, texts: readonly string[]) => {
  const read = html.replaceAll('&amp;', '&').toLowerCase();
  return texts.filter((text) => read.includes(text.toLowerCase()));
};

async function change(...args: string[]): Promise<string> {
  const { code, stdout, stderr } = await site.cli('config', ...args);
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return stdout;
}
const setBrand = async (brand: Brand) =>
  change('set', '--brand', await brandFile(brand), '--reason', 'another brand');

const readText = async (path: string) => (await fetch(site.url + path)).text();
const rootFiles = [
  '/llms.txt',
  '/site.webmanifest',
  '/.well-known/security.txt',
  '/sitemap.xml',
  '/robots.txt',
];

/** The page's content after hydration: in its elements, and in the rendered text. */
const shownBy = ({ page }: Visitor) => page.evaluate(() => document.documentElement.outerHTML);

test('a site starts with a brand from one file, and one command replaces it', async () => {
  const shown = ['Quillon Machines GmbH', 'Saarlouis, Saarland', 'https://try.quillon.test/auth/login'];
  expect(foundIn(await readText('/home'), shown)).toEqual(shown);
  const out = await setBrand(fullBrand);
  expect(out).toContain('  brand.name: Quillon → Acme\n');
  expect(out).toMatch(/every edge \(1\) serves it/);
});

describe.each([
  ['with JavaScript', true],
  ['without', false],
])('all pages %s', (_, javaScript) => {
  async function lookAtAll(look: (path: string, html: string) => void): Promise<void> {
    const visitor = await newVisitor({ javaScript });
    for (const { path } of sitePages) {
      if (javaScript) await open(visitor, site.url + path);
      else await visitor.page.goto(site.url + path);
      look(path, await shownBy(visitor));
    }
    expect(visitor.problems()).toEqual([]);
  }

  test('show the next brand, and no trace of the previous one', async () => {
    const traces = [...brandTraces(first), 'quillon'];
    await lookAtAll((path, html) => {
      expect([path, foundIn(html, traces)]).toEqual([path, []]);
      const { legalName, email, status, support, contact, application, social } = fullBrand;
      const expected = [
        legalName,
        email,
        status,
        support,
        contact,
        application.staging,
        social.x,
        'Denver, Colorado',
        'tel:+13035550100',
      ];
      expect([path, foundIn(html, expected)]).toEqual([path, expected]);
    });
  });
});

test('there is no trace of the previous brand in the root files and in the links of the pages', async () => {
  const traces = [...brandTraces(first), 'quillon'];
  for (const path of rootFiles) expect([path, foundIn(await readText(path), traces)]).toEqual([path, []]);
  expect(await readText('/llms.txt')).toMatch(/^# Acme\n/);
  expect(await readText('/.well-known/security.txt')).toMatch(/^Contact: mailto:hello@acme\.test$/m);
  const { dead, placeholders, followed } = await checkLinks(site.url);
  expect({ dead, placeholders }).toEqual({ dead: [], placeholders: [] });
  expect(followed).toBeGreaterThan(17 * 15);
});

test('the pages of the forms service have the next brand', async () => {
  const html = await until(async () => {
    const text = await (await fetch(`${site.forms}received?form=newsletter`)).text();
    expect(text).toContain(' · Acme</title>');
    return text;
  });
  expect(foundIn(html, ['Acme Parts, Inc., 1 Main Street', fullBrand.support, fullBrand.email])).toHaveLength(
    3,
  );
  expect(foundIn(html, [...brandTraces(first), 'quillon'])).toEqual([]);
});

test("no script of the site contains any brand, not even the repository's", async () => {
  const { shellScripts, remotes } = await releaseData(site.url);
  const scripts = [
    ...shellScripts.map((file) => `/assets/shell/${file}`),
    ...remotes.flatMap(({ name, scripts: own }) => own.map((file) => `/assets/${name}/${file}`)),
  ];
  expect(scripts.length).toBeGreaterThan(20);
  const ofRepository = JSON.parse(await readFile(join(repository, 'brand.json'), 'utf8')) as Brand;
  // Its name is a word of the pages, its country an option of the partner form.
  const { name: _name, address, copyrightYear: _year, ...rest } = ofRepository;
  const traces = [
    ...brandTraces(rest),
    ...brandTraces(address?.city),
    ...brandTraces(first),
    ...brandTraces(fullBrand.email),
    '.example',
  ];
  for (const path of scripts) {
    expect([path, foundIn((await readText(path)).replaceAll('.example.com', ''), traces)]).toEqual([
      path,
      [],
    ]);
  }
});

test('a tab of the previous brand keeps it until a rollback, and reloads at its next navigation', async () => {
  const visitor = await newVisitor();
  await open(visitor, `${site.url}/home`);
  const out = await change('rollback', '--reason', 'the old brand is back');
  expect(out).toContain('  brand.name: Acme → Quillon\n');
  expect(out).toContain('no page needed rendering');
  expect(out).toMatch(/open tabs leave: r\d+/);
  // The tab uses a response of the last 30 seconds; a tab that becomes visible requests a new one.
  await visitor.page.evaluate(() => document.dispatchEvent(new Event('visibilitychange')));
  await visitor.page.locator('header').getByRole('link', { name: 'START building', exact: true }).click();
  await visitor.page.waitForFunction(() => document.title === 'Start free · Quillon');
  expect(foundIn(await shownBy(visitor), ['acme.test'])).toEqual([]);
});

test('empty fields of a brand are hidden: every page works, and no link is dead', async () => {
  await setBrand({ name: 'Bare', email: '', social: { x: '' } });
  const { dead, placeholders } = await checkLinks(site.url);
  expect({ dead, placeholders }).toEqual({ dead: [], placeholders: [] });
  const visitor = await newVisitor();
  for (const { path } of sitePages) {
    await open(visitor, site.url + path);
    expect([path, foundIn(await shownBy(visitor), ['undefined', 'href=""', 'mailto:', 'tel:'])]).toEqual([
      path,
      [],
    ]);
    expect([
      path,
      await visitor.page
        .getByRole('link', { name: /^(Sign Up|Log In|Platform Status|Support Center)$/ })
        .count(),
    ]).toEqual([path, 0]);
  }
  expect(visitor.problems()).toEqual([]);
});

test('a name of the maximum length leaves space for the rest of the header', async () => {
  await setBrand({ ...fullBrand, name: 'Acme Building Blocks Manufacturing International of Colorado' });
  const visitor = await newVisitor();
  await open(visitor, `${site.url}/home`);
  const header = visitor.page.locator('header').first();
  for (const width of [1024, 1280]) {
    await visitor.page.setViewportSize({ width, height: 700 });
    const outside = await header.evaluate((element) => {
      const { bottom } = element.getBoundingClientRect();
      return [...element.querySelectorAll('a, button, label, svg')]
        .filter((each) => each.checkVisibility())
        .map((each) => [each.outerHTML.slice(0, 60), each.getBoundingClientRect()] as const)
        .filter(([, box]) => box.width > 0 && (box.top < 0 || box.bottom > bottom || box.right > innerWidth))
        .map(([html]) => html);
    });
    expect([width, outside]).toEqual([width, []]);
  }
  const link = header.getByRole('link', { name: 'BLOCKS', exact: true });
  expect((await link.boundingBox())?.height).toBeLessThan(45);
  expect(visitor.problems()).toEqual([]);
});
