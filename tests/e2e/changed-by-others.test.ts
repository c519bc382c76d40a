import { randomUUID } from 'node:crypto';
import type { Page } from 'playwright-core';
import { ofKind, collectReports } from './harness/reports.ts';
import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { until } from './harness/until.ts';
import { hydrated, open, visitors, type Visitor } from './harness/visitor.ts';

/** Translators, proxies, extensions and phones change the page's elements before and after hydration. */

const { url: site } = sharedSite();
const newVisitor = visitors();
let visitor: Visitor;
beforeEach(async () => {
  visitor = await newVisitor();
});

/** Wraps texts like Google Translate; runs in the page. @param follows whether it also translates later texts. */
function translate(follows: boolean): void {
  const translated = new WeakSet<Node>();
  const wrapAll = (root: Node) => {
    const texts: Text[] = [];
    const walker = document.createTreeWalker(root, NodeFilter.SHOW_TEXT);
    for (let text = walker.nextNode(); text; text = walker.nextNode()) {
      const isShown =
        text.nodeValue?.trim() && !text.parentElement?.closest('script, style, title, svg, font');
      if (isShown && !translated.has(text)) texts.push(text as Text);
    }
    for (const text of texts) {
      translated.add(text);
      const outer = document.createElement('font' as string);
      const inner = document.createElement('font' as string);
      text.replaceWith(outer);
      outer.append(inner);
      inner.append(text);
    }
  };
  wrapAll(document.body);
  if (!follows) return;
  new MutationObserver((changes) => {
    for (const { target } of changes) if (target.isConnected) wrapAll(target);
  }).observe(document.body, { childList: true, characterData: true, subtree: true });
}

const newsletter = () => visitor.page.getByRole('region', { name: 'New blocks, in your inbox' });
const invalid = 'You need to provide a valid email to subscribe.';
const privacyNote = 'Only for this newsletter. Privacy policy';
const note = () => newsletter().getByRole('status').innerText();
const headerLink = (name: string) =>
  visitor.page.getByRole('banner').getByRole('link', { name, exact: true });

async function subscribe(email: string): Promise<void> {
  await newsletter().getByLabel('Email').fill(email);
  await newsletter().getByRole('button', { name: 'Subscribe' }).click();
}

describe.each([
  ['once', false],
  ['and also each later text', true],
])('on a page that is translated %s', (_when, follows) => {
  test('every page shows the messages of the newsletter, and its links work', async () => {
    const reports = collectReports(visitor);
    for (const { path } of sitePages) {
      await open(visitor, site + path);
      await visitor.page.evaluate(translate, follows);
      await subscribe('wrong@');
      await until(async () => expect([path, await note()]).toEqual([path, invalid]));
      const next = path === '/blocks' ? 'HOME' : 'BLOCKS';
      await headerLink(next).click();
      await visitor.page.waitForURL(`**/${next.toLowerCase()}`);
      await visitor.page.locator('main h1').waitFor();
    }
    await subscribe(`${randomUUID()}@example.com`);
    await until(async () => expect([invalid, privacyNote]).not.toContain(await note()));
    await newsletter().getByLabel('Email').fill('a');
    await until(async () => expect(await note()).toBe(privacyNote));
    // React re-renders a part that was translated before its code arrived.
    const others = visitor.problems().filter((text) => !text.includes('The rendered page did not match'));
    expect(others).toEqual([]);
    expect(ofKind(reports(), 'faults')).toEqual([]);
  });

  test('the calculator shows and announces new figures, and changes its hints', async () => {
    const { page } = visitor;
    await open(visitor, `${site}/agencies`);
    await page.evaluate(translate, follows);
    const calculator = page.locator('#roi');
    const [before] = await calculator.getByRole('definition').allInnerTexts();
    await calculator.getByRole('spinbutton', { name: 'Projects per month' }).fill('40');
    await until(async () =>
      expect((await calculator.getByRole('definition').allInnerTexts())[0]).not.toBe(before),
    );
    const [shown = ''] = await calculator.getByRole('definition').allInnerTexts();
    await until(async () =>
      expect(await calculator.getByRole('status').last().textContent()).toContain(shown.split(' ')[0]),
    );
    for (const value of ['999999', 'x', '4']) {
      const field = calculator.getByRole('spinbutton', { name: 'Projects per month' });
      await field.fill(value === 'x' ? '' : value);
    }
    await calculator.getByRole('radio', { name: 'Per year' }).check({ force: true });
    await until(async () => expect(await calculator.innerText()).toContain('Extra revenue per year'));
    expect(visitor.problems()).toEqual([]);
  });

  test('filters count their results, and a copied sample is announced', async () => {
    const { page } = visitor;
    await open(visitor, `${site}/blocks`);
    await page.evaluate(translate, follows);
    const inventory = page.getByRole('region', { name: 'What is in the box' });
    const count = () => inventory.getByRole('status').innerText();
    const before = await count();
    await page
      .getByRole('group', { name: 'Show blocks about' })
      .getByRole('radio')
      .nth(1)
      .check({ force: true });
    await until(async () => expect(await count()).not.toBe(before));
    await open(visitor, `${site}/developers`);
    await page.evaluate(translate, follows);
    const copy = page.getByRole('button', { name: /^Copy: / }).first();
    for (const _time of [1, 2]) {
      await copy.click();
      await until(async () =>
        expect(await page.getByRole('figure').first().getByRole('status').innerText()).toMatch(/Cop/),
      );
    }
    expect(visitor.problems()).toEqual([]);
  });

  test('a form shows its errors and changes them', async () => {
    const { page } = visitor;
    await open(visitor, `${site}/partners`);
    await page.evaluate(translate, follows);
    const form = page.getByRole('form', { name: 'Refer someone' });
    await form.getByRole('button', { name: 'Send referral' }).click();
    await form.getByRole('alert').waitFor();
    await form.getByLabel('From: your email').fill('me@example.com');
    await form.getByLabel('To: their emails').fill('none');
    await form.getByRole('button', { name: 'Send referral' }).click();
    await until(async () => expect(await form.getByRole('alert').getByRole('link').count()).toBe(1));
    expect(visitor.problems()).toEqual([]);
  });
});

test('the edge measures each page as browsers do', async () => {
  for (const path of [...sitePages.map((page) => page.path), '/search?q=auth']) {
    await open(visitor, site + path);
    const { changed, sent } = await visitor.page.evaluate(() => ({
      changed: 'changed' in document.documentElement.dataset,
      sent: document.querySelector<HTMLElement>('#root')?.dataset['sent'],
    }));
    expect([path, changed, sent === undefined]).toEqual([path, false, path.includes('?')]);
  }
});

/** Changes of the root's markup on its way to React. */
const changes: [string, (html: string) => string][] = [
  [
    'a text is replaced by a link',
    (html) => html.replaceAll('Remote Worldwide', '<a class="__cf_email__">[email protected]</a>'),
  ],
  [
    'a text is put into a link',
    (html) =>
      html.replaceAll('Remote Worldwide', '<a href="x-apple-data-detectors://1">Remote Worldwide</a>'),
  ],
  ['a space is removed', (html) => html.replaceAll('Remote Worldwide', 'RemoteWorldwide')],
  ['HTML comments are removed', (html) => html.replaceAll(/<!--.*?-->/g, '')],
  [
    'texts are wrapped',
    (html) => html.replaceAll(/<(p|h2|dt)([^>]*)>([^<]+)</g, '<$1$2><font><font>$3</font></font><'),
  ],
];

/** Loads a changed document whose scripts wait. @returns starts them. */
async function openChanged(page: Page, path: string, change: (html: string) => string) {
  let start: () => void = () => undefined;
  const isStarted = new Promise<void>((resolve) => (start = resolve));
  await page.route(
    (url) => /^\/assets\/shell\/main\./.test(url.pathname),
    async (route) => {
      await isStarted;
      await route.continue();
    },
  );
  await page.route(site + path, async (route) => {
    const response = await route.fetch();
    const html = await response.text();
    const head = html.slice(0, html.indexOf('<div id="root"'));
    await route.fulfill({ response, body: head + change(html.slice(head.length)) });
  });
  await page.goto(site + path, { waitUntil: 'commit' });
  await page.getByRole('contentinfo').waitFor();
  return async () => {
    start();
    await hydrated(page);
  };
}

test.each(changes)(
  'when %s before hydration, input survives, and the fault is marked as foreign',
  async (what, change) => {
    const { page } = visitor;
    const reports = collectReports(visitor);
    const start = await openChanged(page, '/partners', change);
    const form = page.locator('form').filter({ hasText: 'Send application' });
    await newsletter().getByLabel('Email').fill('reader@example.com');
    await form.locator('[name=business_name]').fill('Ada & Co');
    await form.locator('[name=first_name]').fill('Ada');
    await start();
    await until(async () => {
      expect(await newsletter().getByLabel('Email').inputValue()).toBe('reader@example.com');
      expect(await form.locator('[name=business_name]').inputValue()).toBe('Ada & Co');
    });
    expect(await form.locator('[name=first_name]').inputValue()).toBe('Ada');
    await until(() => expect(ofKind(reports(), 'outcome')).toMatchObject([{ stretch: 'first', faulty: [] }]));
    const kinds = ofKind(reports(), 'faults').flatMap(({ faults }) => faults.map(({ kind }) => kind));
    // React accepts an element around a text.
    const marked = /link$|wrapped/.test(what) && kinds.length === 0 ? [] : ['foreign'];
    expect([...new Set(kinds)]).toEqual(marked);
  },
);

test('input in a document whose page cannot be loaded is in the page after another attempt', async () => {
  const { page } = visitor;
  const entry = (url: URL) => /^\/assets\/mfe-partners\/remoteEntry\./.test(url.pathname);
  await page.route(entry, (route) => route.abort());
  const start = await openChanged(page, '/partners', (html) => html);
  const form = page.locator('form').filter({ hasText: 'Send application' });
  await form.locator('[name=business_name]').fill('Ada & Co');
  await form.locator('[name=country]').selectOption('DE');
  await form.getByRole('checkbox').first().check({ force: true });
  await newsletter().getByLabel('Email').fill('reader@example.com');
  await start();
  const again = page.getByRole('button', { name: 'Try again' });
  await again.waitFor();
  expect(await newsletter().getByLabel('Email').inputValue()).toBe('reader@example.com');
  await page.unroute(entry);
  await again.click();
  await until(async () => expect(await form.locator('[name=business_name]').inputValue()).toBe('Ada & Co'));
  expect(await form.locator('[name=country]').inputValue()).toBe('DE');
  expect(await form.getByRole('checkbox').first().isChecked()).toBe(true);
});
