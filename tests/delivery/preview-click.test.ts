import type { Browser, BrowserContext, Page } from 'playwright-core';
import { createEdgeHarness, type EdgeHarness } from '@site/edge/testing/edge-harness';
import { samplePreview } from '@site/edge/testing/fake-registry';
import { createSampleRelease } from '@site/edge/testing/sample-release';
import { PATIENCE_MS, until } from '../e2e/harness/until.ts';
import { launchBrowser } from '../e2e/harness/browser.ts';

/**
 * A real browser's requests and cookies when a preview is opened: over http on this machine, as developers
 * do.
 */

const linkId = 'a'.repeat(43);
let browser: Browser;
let harness: EdgeHarness;
let context: BrowserContext;
let page: Page;

beforeAll(async () => {
  browser = await launchBrowser();
});
afterAll(() => browser.close());
beforeEach(async () => {
  harness = await createEdgeHarness();
  context = await browser.newContext();
  context.setDefaultTimeout(PATIENCE_MS);
  page = await context.newPage();
});
afterEach(async () => {
  await context.close();
  await harness.close();
});

/** @returns the URL of the site with the preview. */
async function start(host = 'localhost'): Promise<string> {
  const document = createSampleRelease(harness.store, { id: 'r1' });
  document.release.config.origin = `http://${host}`;
  harness.registry.activate(document);
  const { url, edge } = await harness.start();
  await until(() => edge.release() === 'r1');
  const previewed = createSampleRelease(harness.store, { id: 'r1', editions: { 'mfe-blocks': 'previewed' } });
  harness.registry.previews.set(linkId, { document: previewed, preview: samplePreview() });
  return url.replace('127.0.0.1', host);
}

const shown = async (url: string) => {
  await page.goto(`${url}/blocks`);
  return page.locator('main').innerText();
};
const cookieNames = async () => (await context.cookies()).map(({ name }) => name);

test.each(['localhost', '127.0.0.1'])(
  "a user's click opens the preview, and %s stores its __Host- cookie",
  async (host) => {
    const url = await start(host);
    await page.goto(`${url}/_preview?id=${linkId}`);
    await page.getByRole('button', { name: 'Show the preview' }).click();
    await page.waitForURL('**/blocks');
    expect(await page.locator('main').innerText()).toContain('previewed');
    expect(await context.cookies()).toMatchObject([
      {
        name: '__Host-Http-preview',
        value: linkId,
        path: '/',
        domain: host,
        httpOnly: true,
        secure: true,
        sameSite: 'Lax',
      },
    ]);
    expect(await page.evaluate(() => document.cookie)).toBe('');

    // Revoked: the next page is the live one, and the cookie is deleted.
    harness.registry.previews.set(linkId, 'over');
    await until(async () => !(await shown(url)).includes('previewed'));
    expect(await cookieNames()).toEqual([]);
  },
);

test('a script of the site itself cannot open it without a click', async () => {
  const url = await start();
  await page.addInitScript((to) => {
    if (location.pathname !== '/start') return;
    addEventListener('load', () => {
      const form = Object.assign(document.createElement('form'), { method: 'post', action: to });
      document.body.append(form);
      form.submit();
    });
  }, `${url}/_preview?id=${linkId}`);
  await page.goto(`${url}/start`);
  await page.getByRole('heading', { name: 'This preview was not started here' }).waitFor();
  expect(await cookieNames()).toEqual([]);
  expect(await shown(url)).not.toContain('previewed');
});

test("another site's click does not open it, and it cannot be framed", async () => {
  const url = await start();
  const link = `${url}/_preview?id=${linkId}`;
  await page.goto(`data:text/html,<form method="post" action="${link}"><button>Win</button></form>`);
  await page.getByRole('button').click();
  await page.getByRole('heading', { name: 'This preview was not started here' }).waitFor();
  expect(await cookieNames()).toEqual([]);

  const refusal = page.waitForEvent('framenavigated', (frame) => frame.url().startsWith('chrome-error:'));
  await page.goto(`data:text/html,<iframe src="${link}"></iframe>`);
  await refusal;
  expect(await page.frameLocator('iframe').getByRole('button').count()).toBe(0);
});

test("a hostile page of the site gets no preview from its visitor's click, by a form or a window", async () => {
  const url = await start();
  const link = `${url}/_preview?id=${linkId}`;
  await page.goto(`${url}/start`);
  const fetched = await page.evaluate(async (to) => (await fetch(to)).text(), link);
  expect(fetched).not.toContain('confirmation');

  // The browser shows the button in a window that the page has opened, and lets it read and press nothing there.
  const opening = context.waitForEvent('page');
  await page.evaluate((to) => {
    (globalThis as { opened?: Window | null }).opened = open(to);
  }, link);
  const window = await opening;
  await window.locator('input[name=confirmation]').waitFor({ state: 'attached' });
  const inside = await page.evaluate(() => {
    try {
      return (globalThis as { opened?: Window | null }).opened?.document.body.innerHTML ?? 'severed';
    } catch (error) {
      return (error as Error).name;
    }
  });
  expect(inside).toMatch(/^(SecurityError|severed)$/);

  // Its visitors click on a form of its own.
  await page.bringToFront();
  await page.evaluate((to) => {
    const form = Object.assign(document.createElement('form'), { method: 'post', action: to });
    form.append(Object.assign(document.createElement('button'), { textContent: 'Win a prize' }));
    document.body.prepend(form);
  }, link);
  await page.getByRole('button', { name: 'Win a prize' }).click();
  await page.getByRole('heading', { name: 'This preview was not started here' }).waitFor();
  expect(await cookieNames()).toEqual([]);
});

test('the second click of a double click hits no button', async () => {
  const url = await start();
  await page.goto(`${url}/_preview?id=${linkId}`, { waitUntil: 'commit' });
  const button = page.locator('button');
  await button.waitFor({ state: 'attached' });
  const { delay, before } = await button.evaluate((element) => ({
    delay: getComputedStyle(element).animationDelay,
    before: element.getAnimations().length,
  }));
  expect([delay, before]).toEqual(['1s', 1]);
  await button.waitFor({ state: 'visible' });
});
