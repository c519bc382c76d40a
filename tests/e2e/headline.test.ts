import type { Page } from 'playwright-core';
import { holdFonts, readShifts, watchShifts } from './harness/layout-shifts.ts';
import { sharedSite } from './harness/shared-site.ts';
import { readHeading } from './harness/site-pages.ts';
import { untilBoth } from './harness/until-both.ts';
import { open, visitors } from './harness/visitor.ts';

/** The specification's requirements for each headline (section 2, "Home page"). */
const variants = {
  a: { headline: 'API MICROSERVICES', links: { 'Open a Free Account': '/start', Explore: '/blocks' } },
  b: {
    headline: 'BACKEND AS A SERVICE',
    links: { 'Start Building Free': '/start', 'View Documentation': '/developers' },
  },
} as const;
type Variant = keyof typeof variants;

const findVariant = (heading: string): Variant => {
  const found = (['a', 'b'] as const).filter((variant) => variants[variant].headline === heading);
  if (found.length !== 1) throw new Error(`"${heading}" is neither headline.`);
  return found[0]!;
};

const expectedLinks = (variant: Variant) =>
  Object.fromEntries(
    Object.entries(variants[variant].links).map(([name, path]) => [
      name,
      `${path}?utm_source=home&utm_medium=cta&utm_campaign=docs_${variant}`,
    ]),
  );

/** The links that carry campaign parameters, by their text. */
const campaignLinks = (page: Page) =>
  page.evaluate(() =>
    Object.fromEntries(
      [...document.querySelectorAll('a[href*="utm_"]')].map((link) => [
        link.textContent.trim(),
        link.getAttribute('href'),
      ]),
    ),
  );

const headingIn = async (page: Page) => (await page.locator('h1').innerText()).replace(/\s+/g, ' ').trim();

const newVisitor = visitors();

test('each load draws exactly one of both headlines, 50/50', async () => {
  const drawn = { a: 0, b: 0 };
  const loads = 600;
  for (let batch = 0; batch < loads / 20; batch += 1) {
    await Promise.all(
      Array.from({ length: 20 }, async () => {
        const response = await fetch(`${sharedSite().url}/home`);
        const html = await response.text();
        const variant = findVariant(readHeading(html));
        drawn[variant] += 1;
        const marked = [...html.matchAll(/href="([^"?]*)\?utm_source=home&amp;utm_medium=cta&amp;([^"]*)"/g)];
        expect(marked.map(([, path, campaign]) => [path, campaign])).toEqual(
          Object.values(variants[variant].links).map((path) => [path, `utm_campaign=docs_${variant}`]),
        );
        // No cache may share one visitor's draw with the next visitor.
        expect(response.headers.get('cache-control')).toBe('private, no-cache, no-transform');
      }),
    );
  }
  // Five standard deviations: a fair draw fails this once in 1.7 million runs.
  expect(Math.abs(drawn.a - loads / 2)).toBeLessThan((5 * Math.sqrt(loads)) / 2);
});

describe.each([390, 1280])('at %i px', (width) => {
  test('the headline of the HTML stays: no flash, no layout shift, and its links have campaign parameters', async () => {
    await untilBoth(async () => {
      const visitor = await newVisitor({ viewport: { width, height: 850 } });
      const { page } = visitor;
      await watchShifts(page);
      await page.addInitScript(() => {
        const headings: string[] = [];
        Object.assign(window, { headings });
        new MutationObserver(() => {
          const text = [...document.querySelectorAll('h1')].map(({ innerText }) => innerText).join(' + ');
          if (text && headings.at(-1) !== text) headings.push(text);
        }).observe(document, { subtree: true, childList: true, characterData: true });
      });
      // Holds the fonts: the shifts that they cause differ from run to run and do not depend on the headline.
      const letFontsCome = await holdFonts(page);
      const response = await page.goto(`${sharedSite().url}/home`, { waitUntil: 'commit' });
      const variant = findVariant(readHeading((await response?.text()) ?? ''));
      await page.waitForSelector('html[data-interactive]', { state: 'attached' });
      await page.waitForFunction(() => document.cookie.includes('authToken='));
      const { total, moved } = await readShifts(page);
      const headings = await page.evaluate(() => (window as unknown as { headings: string[] }).headings);
      letFontsCome();

      const final = headings
        .map((text) => text.replace(/\s+/g, ' ').trim())
        .filter((text, index, all) => text !== all[index - 1]);
      // While the document arrives the last word may be missing, but the other headline must never appear.
      expect(final.at(-1)).toBe(variants[variant].headline);
      expect(final.filter((text) => !variants[variant].headline.startsWith(text))).toEqual([]);
      expect({ total, moved }).toEqual({ total: 0, moved: [] });
      expect(await campaignLinks(page)).toEqual(expectedLinks(variant));
      expect(visitor.problems()).toEqual([]);
      await visitor.close();
      return variant;
    });
  });
});

test('a navigation back to /home keeps the headline of this load', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await page.emulateMedia({ reducedMotion: 'reduce' });
  await open(visitor, `${sharedSite().url}/support`);
  const main = page.getByRole('banner').getByRole('navigation', { name: 'Main' });
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  const seen: Variant[] = [];
  // A new draw per visit would pass once in 512 runs.
  for (let visit = 0; visit < 10; visit += 1) {
    await main.getByRole('link', { name: 'HOME' }).click();
    await page.waitForURL('**/home');
    seen.push(findVariant(await headingIn(page)));
    expect(await campaignLinks(page)).toEqual(expectedLinks(seen[0]!));
    await main.getByRole('link', { name: 'SUPPORT' }).click();
    await page.waitForURL('**/support');
  }
  expect(new Set(seen).size).toBe(1);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  expect(visitor.problems()).toEqual([]);
});

test('a campaign link keeps its parameters when it is followed', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${sharedSite().url}/home`);
  const variant = findVariant(await headingIn(page));
  const [name, path] = Object.entries(variants[variant].links)[0]!;
  await page.getByRole('link', { name, exact: true }).click();
  await page.waitForURL(`**${path}?utm_source=home&utm_medium=cta&utm_campaign=docs_${variant}`);
  expect(visitor.problems()).toEqual([]);
});
