import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { newsletterThanks } from '@site/contract';
import { violationsIn } from './harness/axe.ts';
import { sharedSite } from './harness/shared-site.ts';
import { readHeading, sitePages } from './harness/site-pages.ts';
import { visitors } from './harness/visitor.ts';

const newVisitor = visitors();

/** A browser without `light-dark()`: the check fails, and declarations with it are invalid. */
async function openOldBrowser(colorScheme: 'light' | 'dark') {
  const visitor = await newVisitor();
  const { page } = visitor;
  await page.emulateMedia({ colorScheme });
  await page.addInitScript(() => {
    const supports = CSS.supports.bind(CSS);
    Object.assign(CSS, {
      supports: (...args: [string, string]) => !args.join(' ').includes('light-dark') && supports(...args),
    });
  });
  await page.route('**/*', async (route) => {
    if (!['document', 'stylesheet'].includes(route.request().resourceType())) return route.continue();
    const response = await route.fetch();
    const { 'content-security-policy': _, ...headers } = response.headers();
    const body = (await response.text()).replaceAll(/light-dark\((?!#000)/g, 'not-light-dark(');
    await route.fulfill({
      response,
      headers,
      body: body.replaceAll('(color:light-dark(', '(color:not-light-dark('),
    });
  });
  return visitor;
}

test.each(['light', 'dark'] as const)(
  'a browser without light-dark() shows every page in readable colors on a %s system, and starts no script',
  async (colorScheme) => {
    const visitor = await openOldBrowser(colorScheme);
    const { page } = visitor;
    for (const { path } of sitePages) {
      const response = (await page.goto(sharedSite().url + path))!;
      const heading = page.getByRole('heading', { level: 1 });
      expect([path, (await heading.innerText()).replace(/\s+/g, ' ')]).toEqual([
        path,
        readHeading(await response.text()).replace(/\s+/g, ' '),
      ]);
      expect([path, await startedScripts(page)]).toEqual([
        path,
        { interactive: false, preloads: 0, hydrated: 0 },
      ]);
      expect([path, await violationsIn(page, { rules: ['color-contrast'] })]).toEqual([path, []]);
    }
    // Only the entry, which stops after the check.
    expect(visitor.requested().filter((file) => /\.js$/.test(file) && !/\/shell\/main\./.test(file))).toEqual(
      [],
    );
    expect(visitor.problems()).toEqual([]);
  },
);

test('a browser without light-dark() follows links, sends plain forms, and shows no control that needs a script', async () => {
  const visitor = await openOldBrowser('light');
  const { page } = visitor;
  await page.goto(`${sharedSite().url}/home`);
  expect(await page.getByRole('radio').count()).toBe(0);
  await page.getByRole('banner').getByRole('link', { name: 'BLOCKS', exact: true }).first().click();
  await page.waitForURL('**/blocks');
  expect(await page.getByRole('main').getByRole('radio').count()).toBe(0);
  await page.goto(`${sharedSite().url}/developers`);
  expect(await page.getByRole('button', { name: /copy/i }).count()).toBe(0);
  await page.goto(`${sharedSite().url}/agencies`);
  expect(await page.getByRole('slider').count()).toBe(0);
  const form = page.getByRole('region', { name: 'New blocks, in your inbox' }).locator('form');
  await form.getByLabel('Email').fill(`${randomUUID()}@example.com`);
  await form.getByRole('button', { name: 'Subscribe' }).click();
  await page.getByRole('heading', { name: newsletterThanks.by_mail.title }).waitFor();
  expect(visitor.problems()).toEqual([]);
});

function startedScripts(page: Page) {
  return page.evaluate(() => ({
    interactive: 'interactive' in document.documentElement.dataset,
    preloads: document.querySelectorAll('link[rel="preload"][as="script"]').length,
    hydrated: [...document.querySelectorAll('#root *')].filter((element) =>
      Object.keys(element).some((key) => key.startsWith('__react')),
    ).length,
  }));
}
