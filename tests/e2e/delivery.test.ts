import { createHash } from 'node:crypto';
import type { Browser, Page, Response } from 'playwright-core';
import { launchBrowser } from './harness/browser.ts';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { releaseData } from './harness/release-data.ts';
import { startSite, type Site } from './harness/site.ts';
import { leap, newVisitor, open, type Visitor } from './harness/visitor.ts';

/**
 * Publishes one remote from another checkout, activates it and rolls it back while the site runs. The tests depend on
 * each other.
 */

const before = 'Every backend part, in one box';
const after = 'Every backend part, freshly delivered';

let site: Site;
let checkout: CheckoutCopy;
let browser: Browser;
/** A tab of the first release, open throughout. */
let early: Visitor;
/** A tab of the revoked release. */
let late: Visitor;
let original: Record<string, string>;
let edited = '';

beforeAll(async () => {
  [checkout, browser] = await Promise.all([copyCheckout(), launchBrowser()]);
  site = await startSite({ root: checkout.root });
  original = await liveVersions();
});
afterAll(async () => {
  await browser.close();
  await site.stop();
  await checkout.remove();
});

interface Status {
  release: { id: string; apps: Record<string, string> };
}

async function liveVersions(): Promise<Record<string, string>> {
  return (await json<Status>('status')).release.apps;
}

/** Runs `site <args> --json` from the team's checkout. */
async function json<Answer>(...args: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await site.cli(...args, '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  return JSON.parse(stdout) as Answer;
}

async function html(path: string): Promise<string> {
  return (await fetch(`${site.url}${path}`)).text();
}

/** URL → hash of the bytes, for every script and stylesheet in the documents of the other apps. */
async function assetsOfOthers(): Promise<Record<string, string>> {
  const documents = await Promise.all(['/home', '/partners', '/policies/privacy'].map(html));
  const urls = documents.flatMap((text) => text.match(/\/assets\/[\w./-]+\.(?:js|css)\b/g) ?? []);
  const others = [...new Set(urls)].filter((url) => !url.startsWith('/assets/mfe-blocks/')).sort();
  return Object.fromEntries(
    await Promise.all(
      others.map(async (url) => {
        const response = await fetch(`${site.url}${url}`);
        expect(response.status).toBe(200);
        const bytes = Buffer.from(await response.arrayBuffer());
        return [url, createHash('sha256').update(bytes).digest('hex')] as const;
      }),
    ),
  );
}

/** Whether the page's HTML contains a text. */
async function shows(path: string, text: string): Promise<boolean> {
  return (await html(path)).includes(text);
}

/** Not the release's table. */
const isStateCheck = (response: Response) => response.url().includes('/__site/state?release=');
const heading = (page: Page, text: string) => page.getByRole('heading', { level: 1, name: text });
const link = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });

let assetsAtFirst: Record<string, string>;
let policiesAtFirst = '';

test('a remote published from its own checkout goes live with `activate`, without a restart', async () => {
  assetsAtFirst = await assetsOfOthers();
  policiesAtFirst = await html('/policies/privacy');
  expect(Object.keys(assetsAtFirst).map((url) => url.split('/')[2])).toEqual(
    expect.arrayContaining(['shell', 'mfe-marketing', 'mfe-partners', 'mfe-policies']),
  );
  early = await newVisitor(browser);
  await early.page.clock.install();
  await open(early, `${site.url}/policies/privacy`);

  await checkout.edit('mfe-blocks/src/pages/blocks-page.tsx', before, after);
  const published = await json<{ version: string }>('publish', 'mfe-blocks');
  const { routes } = await releaseData(site.url);
  const pages = routes.filter(({ remote }) => remote === 'mfe-blocks').length;
  // Publishing renders its pages, so a page that does not render is rejected before this point.
  expect(published).toMatchObject({
    created: true,
    live: original['mfe-blocks'],
    checked: { rendered: pages },
  });
  edited = published.version;
  expect(await shows('/blocks', before)).toBe(true); // publishing does not activate

  const activated = await json<{ rendered: number; edges: number; changes: unknown }>(
    ...['activate', 'mfe-blocks', '--reason', 'new headline'],
  );
  expect(activated).toMatchObject({
    rendered: 0,
    edges: 1,
    changes: [{ app: 'mfe-blocks', from: original['mfe-blocks'], to: edited }],
  });
  expect(await shows('/blocks', after)).toBe(true);
  late = await newVisitor(browser);
  await late.page.clock.install();
  await open(late, `${site.url}/blocks`);
  await heading(late.page, after).waitFor();
  expect(late.problems()).toEqual([]);
});

test('the activation does not affect other apps: same files, same bytes, same pages', async () => {
  expect(await assetsOfOthers()).toEqual(assetsAtFirst);
  expect((await html('/policies/privacy')) === policiesAtFirst).toBe(true);
  const changed = await liveVersions();
  expect({ ...changed, 'mfe-blocks': original['mfe-blocks'] }).toEqual(original);
});

test('a newer release does not disturb an open tab', async () => {
  const { page } = early;
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await leap(early, '00:31');
  const asked = page.waitForResponse(isStateCheck);
  await link(page, 'BLOCKS').click();
  await asked;
  await heading(page, before).waitFor(); // The page of the release that the tab was opened with.
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  expect(early.problems()).toEqual([]);
});

test('`rollback` restores the old page without rendering, and prints its duration', async () => {
  const { code, stdout, stderr } = await site.cli(
    ...['rollback', 'mfe-blocks', '--reason', 'the headline is wrong'],
  );
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toContain('its pages were rendered when it was published');
  expect(stdout).toMatch(/every edge \(1\) serves it after \d+ ms/);
  expect(await shows('/blocks', before)).toBe(true);
  expect(await shows('/blocks', after)).toBe(false);

  expect(await liveVersions()).toEqual(original);
  expect(await assetsOfOthers()).toEqual(assetsAtFirst);
  expect((await html('/policies/privacy')) === policiesAtFirst).toBe(true);
});

test('a tab of the revoked release leaves it at its next navigation', async () => {
  const { page } = late;
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await leap(late, '00:31');
  const loaded = page.waitForEvent('load');
  await link(page, 'START building').click();
  await loaded;
  expect(new URL(page.url()).pathname).toBe('/start');
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(false);
  await page.waitForSelector('html[data-interactive]', { state: 'attached' });
  await link(page, 'BLOCKS').click();
  await heading(page, before).waitFor();
  expect(late.problems()).toEqual([]);
});

test('a tab of a release that was not revoked keeps its document', async () => {
  const { page } = early;
  await leap(early, '00:31');
  const asked = page.waitForResponse(isStateCheck);
  await link(page, 'START building').click();
  await asked;
  await page.waitForURL('**/start');
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
  expect(early.problems()).toEqual([]);
});

test('the rolled-back version is quarantined: `activate` rejects it with the reason', async () => {
  const { code, stdout, stderr } = await site.cli('activate', `mfe-blocks@${edited}`);
  expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
  expect(stderr).toContain(`mfe-blocks@${edited} was quarantined by local ops`);
  expect(stderr).toContain('"the headline is wrong"');
  expect(stderr).toContain('npx @site/cli unquarantine');
  const newest = await site.cli('activate', 'mfe-blocks');
  expect(newest).toMatchObject({ code: 1, stderr });
  expect(await shows('/blocks', before)).toBe(true);
});

test('a restart does not restore it, even from the checkout that contains it', async () => {
  expect(await site.stop()).toBe(0);
  const { dataDir, port } = site;
  site = await startSite({ dataDir, port, root: checkout.root });
  expect(site.output()).toContain(
    `mfe-blocks@${edited} stays out: it was rolled back (the headline is wrong)`,
  );
  expect(await shows('/blocks', before)).toBe(true);
  expect((await liveVersions())['mfe-blocks']).toBe(original['mfe-blocks']);
});

test('a start from the checkout of a canary keeps the canary, which can then be aborted', async () => {
  await checkout.edit('mfe-blocks/src/pages/blocks-page.tsx', after, 'Every backend part, for a few');
  const { version } = await json<{ version: string }>('publish', 'mfe-blocks');
  await json('activate', 'mfe-blocks', '--canary', '10%');
  expect(await site.stop()).toBe(0);
  const { dataDir, port } = site;
  site = await startSite({ dataDir, port, root: checkout.root });
  expect(site.output()).toContain(`mfe-blocks@${version} stays a canary`);
  expect(await liveVersions()).toEqual(original);
  await json('abort', '--reason', 'a test');
});
