import type { Browser, Page, Route } from 'playwright-core';
import { assetUrl, type BootRemote } from '@site/contract';
import {
  breakableHeadline,
  buildBreakableBlocks,
  codeFaults,
  FAULT_KEY,
} from '../fixtures/broken-remotes/breakable-build.ts';
import { launchBrowser } from './harness/browser.ts';
import { copyCheckout, type CheckoutCopy } from './harness/checkout-copy.ts';
import { ofKind, collectReports } from './harness/reports.ts';
import { releaseData } from './harness/release-data.ts';
import { startSite, type Site } from './harness/site.ts';
import { until } from './harness/until.ts';
import { newVisitor, open, type Visitor } from './harness/visitor.ts';

/** A site with two versions of mfe-blocks: the live one, and the last good one as its fallback. */

const lastGoodHeadline = 'Every backend part, in one box';

let site: Site;
let checkout: CheckoutCopy;
let browser: Browser;
let visitor: Visitor;
let blocks: Required<BootRemote>;
let chunk = '';
let styleCount = 0;

beforeAll(async () => {
  [checkout, browser] = await Promise.all([copyCheckout(), launchBrowser()]);
  site = await startSite({ root: checkout.root });
  await buildBreakableBlocks(checkout);
  for (const args of [
    ['publish', 'mfe-blocks', '--no-build'],
    ['activate', 'mfe-blocks'],
  ])
    expect(await site.cli(...args)).toMatchObject({ code: 0, stderr: '' });
  const boot = await releaseData(site.url);
  blocks = boot.remotes.find(({ name }) => name === 'mfe-blocks') as Required<BootRemote>;
  const { paths = [] } = boot.routes.find(({ path }) => path === '/blocks') ?? {};
  const [page] = paths.filter((path) => path.startsWith('blocks-page.'));
  styleCount = paths.filter((path) => path.endsWith('.css')).length;
  if (!page) throw new Error(`The document names no chunk of the page: ${paths.join(', ')}`);
  chunk = assetUrl('mfe-blocks', page);
  expect(styleCount).toBeGreaterThan(0);
  expect(blocks.lastGood.entry).not.toBe(blocks.entry);
});
afterAll(async () => {
  await browser.close();
  await site.stop();
  await checkout.remove();
});
beforeEach(async () => {
  visitor = await newVisitor(browser);
});
afterEach(() => visitor.close());

interface Fault {
  name: string;
  /** Breaks the live build of mfe-blocks for this visitor. */
  arm(page: Page): Promise<void>;
  complaints: RegExp;
}

const network = /Failed to load resource|integrity|Failed to find a valid digest/;

const intercept = (url: () => string, answer: (route: Route) => Promise<void>) => async (page: Page) => {
  await page.route((address) => address.pathname === url(), answer);
};

const faults: Fault[] = [
  {
    name: 'the entry cannot be reached',
    arm: intercept(
      () => blocks.entry,
      (route) => route.abort(),
    ),
    complaints: network,
  },
  {
    name: 'the entry returns 404',
    arm: intercept(
      () => blocks.entry,
      (route) => route.fulfill({ status: 404, contentType: 'text/plain', body: 'There is no such file.' }),
    ),
    complaints: network,
  },
  {
    name: 'the entry has other bytes',
    arm: intercept(
      () => blocks.entry,
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          headers: { ...response.headers(), 'cache-control': 'no-store' },
          body: `${await response.text()}\n`,
        });
      },
    ),
    complaints: network,
  },
  {
    name: "the page's chunk cannot be reached",
    arm: intercept(
      () => chunk,
      (route) => route.abort(),
    ),
    complaints: network,
  },
  {
    name: "the page's chunk has other bytes",
    arm: intercept(
      () => chunk,
      async (route) => {
        const response = await route.fetch();
        await route.fulfill({
          response,
          headers: { ...response.headers(), 'cache-control': 'no-store' },
          body: `${await response.text()}\n`,
        });
      },
    ),
    complaints: network,
  },
  ...codeFaults.map((fault) => ({
    name: `in the code: ${fault}`,
    async arm(page: Page) {
      await page.addInitScript(
        ([key, value]) => {
          // Once per tab, so that a test can remove it again.
          if (sessionStorage.getItem('armed')) return;
          sessionStorage.setItem('armed', 'yes');
          localStorage.setItem(key, value);
        },
        [FAULT_KEY, fault] as const,
      );
    },
    complaints: /broken (entry|module|page)/,
  })),
];

async function disarm(page: Page): Promise<void> {
  await page.unrouteAll({ behavior: 'ignoreErrors' });
  await page.evaluate((key) => {
    localStorage.removeItem(key);
  }, FAULT_KEY);
}

const blockLastGood = (page: Page) =>
  page.route(
    (address) => address.pathname === blocks.lastGood.entry,
    (route) => route.abort(),
  );

const heading = (name: string) => visitor.page.getByRole('heading', { level: 1, name });
const headerLink = (name: string) =>
  visitor.page.getByRole('banner').getByRole('link', { name, exact: true });
const panel = () => visitor.page.getByRole('alert').filter({ hasText: 'This page could not be loaded' });

/** Every console message is the shell's about mfe-blocks, or the fault itself. */
function expectOnlyComplaints({ complaints }: Pick<Fault, 'complaints'>): void {
  const shell = /mfe-blocks (could not be loaded|failed on) |The remote "mfe_blocks" is already registered/;
  const others = visitor.problems().filter((problem) => !shell.test(problem) && !complaints.test(problem));
  expect(others).toEqual([]);
}

async function expectTheRestToWork(): Promise<void> {
  const { page } = visitor;
  await page.getByRole('contentinfo').getByText('Plug. Build. Ship.').waitFor();
  await page.evaluate(() => Object.assign(window, { sameDocument: true }));
  await headerLink('START building').click();
  await page.waitForURL('**/start');
  await page.locator('main h1').waitFor();
  expect(await panel().count()).toBe(0);
  expect(await page.evaluate(() => 'sameDocument' in window)).toBe(true);
}

test('without a fault the live version is shown, and the last good one is not fetched', async () => {
  await open(visitor, `${site.url}/blocks`);
  await heading(breakableHeadline).waitFor();
  await expectTheRestToWork();
  await headerLink('BLOCKS').click();
  await heading(breakableHeadline).waitFor();
  expect(visitor.requested()).not.toContain(blocks.lastGood.entry);
  expect(visitor.problems()).toEqual([]);
});

async function openWith(fault: Fault, path: string): Promise<void> {
  await fault.arm(visitor.page);
  await open(visitor, `${site.url}${path}`);
}

describe.each(faults)('when $name', (fault) => {
  test('the last good version replaces the page of the document', async () => {
    await openWith(fault, '/blocks');
    await heading(lastGoodHeadline).waitFor();
    expect(await panel().count()).toBe(0);
    // The document has its styles, and no longer the failed version's.
    const sheets = await visitor.page.evaluate(() => ({
      inline: document.querySelectorAll('style[data-href*="/assets/mfe-blocks/"], style[data-href="-"]')
        .length,
      loaded: document.querySelectorAll('link[rel=stylesheet][href*="/assets/mfe-blocks/"]').length,
    }));
    expect(sheets).toEqual({ inline: 0, loaded: styleCount });
    expectOnlyComplaints(fault);
  });

  test('a click ends in an error panel if the last good version fails as well, and its button restores the page', async () => {
    await blockLastGood(visitor.page);
    await openWith(fault, '/policies/privacy');
    await headerLink('BLOCKS').click();
    await panel().waitFor();
    expect(new URL(visitor.page.url()).pathname).toBe('/blocks');

    await disarm(visitor.page);
    await visitor.page.getByRole('button', { name: 'Try again' }).click();
    await heading(breakableHeadline).waitFor();
    expect(await panel().count()).toBe(0);
    expectOnlyComplaints({ complaints: new RegExp(`${fault.complaints.source}|${network.source}`) });
  });
});

/** The remaining cases do not depend on the fault: tested with one network fault and one code fault. */
describe.each(faults.filter(({ name }) => /entry cannot|page throws/.test(name)))('when $name', (fault) => {
  test('a click shows the last good version, whose other pages and the rest of the site work', async () => {
    await openWith(fault, '/policies/privacy');
    await headerLink('BLOCKS').click();
    await heading(lastGoodHeadline).waitFor();
    await visitor.page.getByRole('main').getByRole('link', { name: 'Look inside the Auth Block' }).click();
    await heading('Auth Block').waitFor();
    await expectTheRestToWork();
    expectOnlyComplaints(fault);
  });

  test('reports of that view name the failed version', async () => {
    const reports = collectReports(visitor);
    await openWith(fault, '/blocks');
    await heading(lastGoodHeadline).waitFor();
    const view = { number: 0, version: blocks.version, build: 'live' };
    await until(() => {
      expect(ofKind(reports(), 'faults')[0]).toMatchObject({ view, faults: [{ app: 'mfe-blocks' }] });
      expect(ofKind(reports(), 'outcome')[0]).toMatchObject({ view, faulty: ['mfe-blocks'] });
    });
  });

  test('the first page is an error panel if the last good version fails as well, and the rest of the site works', async () => {
    const { page } = visitor;
    await blockLastGood(page);
    await openWith(fault, '/blocks');
    await panel().waitFor();
    await page.getByRole('button', { name: 'Try again' }).click();
    await page.getByRole('button', { name: 'Try again', disabled: false }).waitFor();
    await panel().waitFor();
    await expectTheRestToWork();
    await headerLink('BLOCKS').click();
    await panel().waitFor();

    await disarm(page);
    await page.getByRole('button', { name: 'Try again' }).click();
    await heading(breakableHeadline).waitFor();
    expectOnlyComplaints({ complaints: new RegExp(`${fault.complaints.source}|${network.source}`) });
  });
});

describe('if the entry does not respond at all', () => {
  const silent = () => new Promise<void>(() => undefined);

  test('the page of the document stays readable, and the last good version replaces it in the end', async () => {
    const { page } = visitor;
    await page.clock.install();
    await page.route((address) => address.pathname === blocks.entry, silent);
    await page.goto(`${site.url}/blocks`, { waitUntil: 'commit' });
    await heading(breakableHeadline).waitFor();
    await passTimeUntilLastGood();
    await heading(lastGoodHeadline).waitFor();
    expect(await panel().count()).toBe(0);
    expectOnlyComplaints({ complaints: network });
  });

  test('a click waits for the last good version, while the page keeps working', async () => {
    const { page } = visitor;
    await page.clock.install();
    await page.route((address) => address.pathname === blocks.entry, silent);
    await open(visitor, `${site.url}/policies/privacy`);
    await headerLink('BLOCKS').click();
    await headerLink('START building').click(); // the visitor changes their mind
    await page.waitForURL('**/start');
    await headerLink('BLOCKS').click();
    await passTimeUntilLastGood();
    await heading(lastGoodHeadline).waitFor();
    expectOnlyComplaints({ complaints: network });
  });

  /**
   * Advances the page's clock until the shell gives up the live build. No further: the rest takes real time, in which
   * the last good version would time out as well. Small steps, since a request is noticed late on a busy machine.
   */
  async function passTimeUntilLastGood(): Promise<void> {
    await until(async () => {
      await visitor.page.clock.runFor(500);
      expect(visitor.requested()).toContain(blocks.lastGood.entry);
    });
  }
});
