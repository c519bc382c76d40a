import { seesCanary } from '@site/edge/releases/bucket';
import { bucketAt } from '@site/edge/testing/bucket-at';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { AxeBuilder } from '@axe-core/playwright';
import type { Browser, Page } from 'playwright-core';
import type { ChangeAnswer, ChannelAnswer, PreviewMade } from '@site/contract';
import { askRegistry } from './harness/ask-registry.ts';
import { launchBrowser } from './harness/browser.ts';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { startDevServer, type DevServer } from './harness/dev-server.ts';
import { startSite, type Site } from './harness/site.ts';
import { until } from './harness/until.ts';
import { leap, newVisitor, open, type Visitor } from './harness/visitor.ts';

/**
 * A published version of mfe-blocks that is not live: as a canary, by preview link, and from the developer's machine.
 * The tests depend on each other.
 */

const before = 'Every backend part, in one box';
const after = 'Every backend part, for some of you';
const fromSource = 'Every backend part, straight from the source';

let site: Site;
let checkout: CheckoutCopy;
let browser: Browser;
let version = '';
let devServer: DevServer | undefined;
const visitors: Visitor[] = [];

beforeAll(async () => {
  [checkout, browser] = await Promise.all([copyCheckout(), launchBrowser()]);
  site = await startSite({ root: checkout.root });
  await checkout.edit('mfe-blocks/src/pages/blocks-page.tsx', before, after);
  const { code, stdout, stderr } = await site.cli('publish', 'mfe-blocks', '--json');
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  ({ version } = JSON.parse(stdout) as { version: string });
});
afterAll(async () => {
  await browser.close();
  await devServer?.stop();
  await site.stop();
  await checkout.remove();
});
afterEach(async () => {
  await Promise.all(visitors.splice(0).map((visitor) => visitor.close()));
});

/** A visitor with this bucket in a cookie; without one, a new visitor. */
async function visitorWith(bucket?: number): Promise<Visitor> {
  const visitor = await newVisitor(browser);
  visitors.push(visitor);
  if (bucket !== undefined)
    await visitor.context.addCookies([{ name: 'bucket', value: String(bucket), url: site.url }]);
  return visitor;
}

const registry = <Answer>(path: string, body?: object) => askRegistry<Answer>(site, path, body);

/** Waits until every edge serves the channel's release. */
async function settled(): Promise<void> {
  await until(async () => {
    const { state, edges } = await registry<ChannelAnswer>('channels/production');
    for (const { release, canaries } of edges)
      expect({ release, canaries }).toEqual({ release: state.live, canaries: state.canaries });
  });
}

async function headline(visitor: Visitor): Promise<string> {
  await open(visitor, `${site.url}/blocks`);
  return (await visitor.page.getByRole('heading', { level: 1 }).textContent()) ?? '';
}

const link = (page: Page, name: string) => page.getByRole('banner').getByRole('link', { name, exact: true });
const banner = (page: Page) => page.getByRole('complementary', { name: 'Preview' });

/** Opens a preview link and confirms. */
async function openPreview(page: Page, { url }: PreviewMade): Promise<void> {
  await page.goto(String(url));
  await page.getByRole('button', { name: 'Show the preview' }).click();
  await page.waitForURL('**/blocks');
}

describe('a canary', () => {
  let canary: string;
  const visitorAt = (place: number) => visitorWith(bucketAt(place, canary));

  test('is visible to its share of the visitors only, each time', async () => {
    const { release } = await registry<ChangeAnswer>('channels/production/releases', {
      apps: { 'mfe-blocks': version },
      share: 50,
      reason: 'half of the visitors first',
    });
    canary = release.id;
    await settled();
    const [inside, outside] = [await visitorAt(4999), await visitorAt(5000)];
    for (let load = 0; load < 3; load += 1) {
      expect(await headline(inside)).toBe(after);
      expect(await headline(outside)).toBe(before);
    }
    // Through the pages of the site and back, without a reload.
    await link(inside.page, 'START building').click();
    await inside.page.waitForURL('**/start');
    await link(inside.page, 'BLOCKS').click();
    await inside.page.getByRole('heading', { level: 1, name: after }).waitFor();
    expect([...inside.problems(), ...outside.problems()]).toEqual([]);
  });

  test('gives a new visitor a persistent bucket in an HttpOnly cookie', async () => {
    const visitor = await visitorWith();
    const first = await headline(visitor);
    const cookie = (await visitor.context.cookies()).find(({ name }) => name === 'bucket');
    expect(cookie).toMatchObject({ httpOnly: true, sameSite: 'Lax', path: '/' });
    expect(first).toBe(seesCanary(Number(cookie?.value), { release: canary, share: 50 }) ? after : before);
    for (let load = 0; load < 3; load += 1) expect(await headline(visitor)).toBe(first);
    expect(visitor.problems()).toEqual([]);
  });

  test('includes the next visitor when its share is raised by a hundredth of a percent', async () => {
    await registry<ChangeAnswer>('channels/production/canary', { share: 50.01, reason: 'a little more' });
    await settled();
    const seen = await Promise.all([4999, 5000, 5001].map(async (place) => headline(await visitorAt(place))));
    expect(seen).toEqual([after, after, before]);
  });

  test('that is aborted: its open tabs leave it at their next navigation, other tabs stay', async () => {
    const [inside, outside] = [await visitorAt(0), await visitorAt(9999)];
    for (const { page } of [inside, outside]) await page.clock.install();
    expect([await headline(inside), await headline(outside)]).toEqual([after, before]);
    await registry<ChangeAnswer>('channels/production/aborts', { reason: 'not good enough' });
    await settled();

    for (const visitor of [inside, outside]) {
      const { page } = visitor;
      await page.evaluate(() => Object.assign(window, { sameDocument: true }));
      await leap(visitor, '00:31');
      await link(page, 'START building').click();
      await page.waitForURL('**/start');
      await page.waitForSelector('html[data-interactive]', { state: 'attached' });
    }
    const stayed = ({ page }: Visitor) => page.evaluate(() => 'sameDocument' in window);
    expect([await stayed(inside), await stayed(outside)]).toEqual([false, true]);
    expect(await headline(inside)).toBe(before);
    expect([...inside.problems(), ...outside.problems()]).toEqual([]);
  });
});

describe('a preview link', () => {
  test('shows the live site with the version and a banner, only in the browser that opened the link', async () => {
    const made = await registry<PreviewMade>('previews', { app: 'mfe-blocks', version });
    const [guest, other] = [await visitorWith(), await visitorWith()];
    const { page } = guest;
    const answer = page.waitForResponse(`${site.url}/blocks`);
    await openPreview(page, made);
    expect((await (await answer).allHeaders())['x-robots-tag']).toBe('noindex, nofollow');
    await page.getByRole('heading', { level: 1, name: after }).waitFor();
    await page.waitForSelector('html[data-interactive]', { state: 'attached' });
    expect(await banner(page).innerText()).toContain(`mfe-blocks@${version}`);
    // The version's code can read the link neither from the referrer nor from the cookie.
    expect(await page.evaluate(() => document.referrer + document.cookie)).not.toMatch(/preview/);
    expect(await headline(other)).toBe(before);
    expect(await banner(other.page).count()).toBe(0);

    // The rest of the site is live, and the banner stays.
    await link(page, 'START building').click();
    await page.waitForURL('**/start');
    expect(await banner(page).isVisible()).toBe(true);
    await banner(page).getByRole('link').click();
    await page.waitForURL('**/home');
    expect(await banner(page).count()).toBe(0);
    expect(await headline(guest)).toBe(before);
    expect([...guest.problems(), ...other.problems()]).toEqual([]);
  });

  test('shows nothing without a confirmation, nor if another page submits the confirmation', async () => {
    const { url } = await registry<PreviewMade>('previews', { app: 'mfe-blocks', version });
    const visitor = await visitorWith();
    const { page, context } = visitor;
    await page.goto(String(url));
    await page.getByRole('heading', { name: `Preview of mfe-blocks@${version}` }).waitFor();
    // The page itself is sandboxed, so no script can check it.
    const html = await (await context.request.get(String(url))).text();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      await page.goto('about:blank');
      await page.setContent(html);
      expect((await new AxeBuilder({ page }).setLegacyMode().analyze()).violations).toEqual([]);
    }
    expect(visitor.problems()).toEqual([]);
    const refused = () => page.getByRole('heading', { name: 'This preview was not started here' }).waitFor();
    await page.goto(`data:text/html,<form method="post" action="${String(url)}"><button>Win</button></form>`);
    await page.getByRole('button').click();
    await refused();
    // Nor does a script of the site itself.
    await open(visitor, `${site.url}/start`);
    const status = page.evaluate(async (to) => (await fetch(to, { method: 'POST' })).status, String(url));
    expect(await status).toBe(403);
    expect((await context.cookies()).map(({ name }) => name)).not.toContain('__Host-Http-preview');
    expect(await headline(visitor)).toBe(before);
  });

  test('that was changed is reported as invalid', async () => {
    const { url } = await registry<PreviewMade>('previews', { app: 'mfe-blocks', version });
    const { page } = await visitorWith();
    const changed = String(url).replace(/.(?=.{20}$)/, (letter) => (letter === 'A' ? 'B' : 'A'));
    const answer = await page.goto(changed);
    expect(answer?.status()).toBe(403);
    await page.getByRole('heading', { name: 'This preview link is not valid' }).waitFor();
  });
});

describe('a dev preview', () => {
  test("shows the live site with the remote from the developer's machine, in that browser only", async () => {
    await checkout.edit('mfe-blocks/src/pages/blocks-page.tsx', after, fromSource);
    await checkout.edit(
      'mfe-blocks/remote.config.ts',
      'pages: [',
      "pages: [{ path: '/blocks/new', page: './src/pages/new-page.tsx' },",
    );
    const newPage =
      'import { Page } from \'@site/kit\';\nexport default () => <Page title="New"><h1>Not live yet</h1></Page>;\n';
    await writeFile(join(checkout.root, 'mfe-blocks/src/pages/new-page.tsx'), newPage);
    devServer = await startDevServer(checkout.root, 'mfe-blocks', site.url);
    const dev = devServer.url;
    const made = await registry<PreviewMade>('previews', { app: 'mfe-blocks', dev });
    const [developer, other] = [await visitorWith(), await visitorWith()];
    const { page } = developer;
    await openPreview(page, made);
    await page.getByRole('heading', { level: 1, name: fromSource }).waitFor();
    await page.waitForSelector('html[data-interactive]', { state: 'attached' });
    expect(await banner(page).innerText()).toContain(dev);
    // Its styles come from the dev server: the document contains only the shell's.
    const sheets = await page.evaluate(() =>
      [...document.styleSheets].map(({ href }) => href).filter((href) => href !== null),
    );
    expect(sheets).toContainEqual(expect.stringContaining(`${dev}/assets/mfe-blocks/`));
    expect(sheets.filter((href) => !href.startsWith(`${dev}/assets/mfe-blocks/`))).toEqual([]);

    await page.getByRole('main').getByRole('link', { name: 'Look inside the Auth Block' }).click();
    await page.getByRole('heading', { level: 1, name: 'Auth Block' }).waitFor();
    await link(page, 'START building').click();
    await page.waitForURL('**/start');
    // A page that no version has.
    await page.goto(`${site.url}/blocks/new`);
    await page.getByRole('heading', { level: 1, name: 'Not live yet' }).waitFor();
    // The dev server's own pages work as before.
    const own = await visitorWith();
    await open(own, `${dev}/blocks`);
    await own.page.getByRole('heading', { level: 1, name: fromSource }).waitFor();

    expect(await headline(other)).toBe(before);
    expect(other.requested().filter((path) => path.includes('remoteEntry.js'))).toEqual([]);
    expect([...developer.problems(), ...other.problems()]).toEqual([]);
  });
});

describe('a quarantined version', () => {
  test('is no longer shown by its preview links from the next load, and gets no new ones', async () => {
    const made = await registry<PreviewMade>('previews', { app: 'mfe-blocks', version });
    const visitor = await visitorWith();
    await openPreview(visitor.page, made);
    expect(await headline(visitor)).toBe(after);
    await registry(`apps/mfe-blocks/versions/${version}/quarantines`, { reason: 'steals' });
    await until(async () => expect(await headline(visitor)).toBe(before));
    expect(await banner(visitor.page).count()).toBe(0);
    expect((await visitor.context.cookies()).map(({ name }) => name)).not.toContain('__Host-Http-preview');
    await visitor.page.goto(String(made.url));
    await visitor.page.getByRole('heading', { name: 'This preview has ended' }).waitFor();
    await expect(registry('previews', { app: 'mfe-blocks', version })).rejects.toThrow('version_quarantined');
  });
});
