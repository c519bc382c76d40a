import type { Browser } from 'playwright-core';
import { launchBrowser } from './harness/browser.ts';
import { sharedSite } from './harness/shared-site.ts';
import { newVisitor, open } from './harness/visitor.ts';

let browser: Browser;
beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());

test('the home page comes alive without a problem in the console', async () => {
  const visitor = await newVisitor(browser);
  await open(visitor, `${sharedSite().url}/home`);
  expect(await visitor.page.locator('h1').count()).toBe(1);
  expect(visitor.problems()).toEqual([]);
  await visitor.close();
}, 60_000);
