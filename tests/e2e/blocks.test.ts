import { blockPages, readHeading } from './harness/site-pages.ts';
import { sharedSite } from './harness/shared-site.ts';
import { until } from './harness/until.ts';
import { open, visitors } from './harness/visitor.ts';

const { url: site } = sharedSite();
const newVisitor = visitors();

test('every block has a page, in the sitemap and in the search; other names lead to /home', async () => {
  const sitemap = await (await fetch(`${site}/sitemap.xml`)).text();
  for (const { path } of blockPages) {
    const response = await fetch(site + path);
    const html = await response.text();
    expect([path, response.status]).toEqual([path, 200]);
    expect(readHeading(html)).toMatch(/ Block$/);
    expect(Buffer.byteLength(html)).toBeLessThanOrEqual(92_000);
    expect(sitemap).toContain(`${path}</loc>`);
  }
  const { status, headers } = await fetch(`${site}/blocks/no-such-block`, { redirect: 'manual' });
  expect([status, headers.get('location')]).toEqual([302, '/home']);
});

describe('without JavaScript', () => {
  test('a filter in the URL shows its blocks, and the filter switches to another group', async () => {
    const { page } = await newVisitor({ javaScript: false });
    await page.goto(`${site}/blocks?filter=people`);
    const parts = page.locator('#parts').getByRole('listitem');
    expect(await parts.count()).toBe(5);
    expect(await page.getByRole('radio', { name: 'People' }).isChecked()).toBe(true);
    await page.getByRole('radio', { name: 'All' }).check();
    expect(await parts.count()).toBe(15);
  });

  test('the small form on /home opens the assembler with its blocks', async () => {
    const { page } = await newVisitor({ javaScript: false });
    await page.goto(`${site}/home`);
    const form = page.getByRole('form', { name: 'Assemble your backend' });
    await form.getByRole('checkbox', { name: 'Forms' }).check();
    await form.getByRole('checkbox', { name: 'Rewards' }).check();
    await form.getByRole('button', { name: 'Assemble' }).click();
    await page.waitForURL(`${site}/blocks?block=forms&block=rewards#assemble`);
    const parts = page.getByRole('list', { name: 'Your parts' }).getByRole('listitem');
    expect(await parts.allInnerTexts()).toEqual(['1 × Forms', '1 × Rewards']);
  });

  test('the assembler is a form: its page shows the chosen parts and their code', async () => {
    const { page } = await newVisitor({ javaScript: false });
    await page.goto(`${site}/blocks`);
    const form = page.getByRole('form', { name: 'Assemble your backend' });
    const parts = form.getByRole('list', { name: 'Your parts' }).getByRole('listitem');
    expect(await parts.count()).toBe(0);
    await form.getByRole('checkbox', { name: 'Auth' }).check();
    await form.getByRole('checkbox', { name: 'Search' }).check();
    await form.getByRole('button', { name: 'Assemble' }).click();
    await page.waitForURL(`${site}/blocks?block=auth&block=search#assemble`);
    expect(await parts.allInnerTexts()).toEqual(['1 × Auth', '1 × Search']);
    const code = await form.locator('pre').innerText();
    expect(code.match(/^\/\/ .*$/gm)).toEqual(['// Auth', '// Search']);
  });
});

test('a filter in the URL shows its blocks before the page’s code has run', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  let release = () => {};
  const held = new Promise<void>((resolve) => (release = resolve));
  await page.route('**/assets/mfe-blocks/**', (route) => held.then(() => route.continue()));
  await page.goto(`${site}/blocks?filter=people`, { waitUntil: 'commit' });
  const parts = page.locator('#parts').getByRole('listitem');
  await until(async () => expect(await parts.count()).toBe(5));
  release();
  await until(async () => expect(await page.locator('#parts li[hidden]').count()).toBe(10));
  expect(await parts.count()).toBe(5);
  expect(visitor.problems()).toEqual([]);
});

test('with the keyboard: blocks drop onto the plate, the URL follows, and its link restores them', async () => {
  const visitor = await newVisitor();
  const { page } = visitor;
  await open(visitor, `${site}/blocks?block=auth`);
  const form = page.getByRole('form', { name: 'Assemble your backend' });
  const pieces = form.locator('span[data-part] > img');
  expect(await pieces.filter({ visible: true }).count()).toBe(1);
  await form.getByRole('checkbox', { name: 'Real Time' }).press('Space');
  await page.waitForURL(`${site}/blocks?block=auth&block=real-time`);
  expect(await pieces.filter({ visible: true }).count()).toBe(2);
  await page.getByRole('status').filter({ hasText: 'On your plate: Auth, Real Time' }).waitFor();
  await page.reload();
  expect(await pieces.filter({ visible: true }).count()).toBe(2);
  await form.getByRole('link', { name: 'shop' }).press('Enter');
  await until(async () => expect(await pieces.filter({ visible: true }).count()).toBe(5));
  expect(visitor.problems()).toEqual([]);
});

test('until its drawing arrives, a block shows its floor', async () => {
  const { page } = await newVisitor();
  await page.route('**/block-glyphs-*', (route) => route.abort());
  await page.goto(`${site}/blocks`);
  const backgrounds = await page
    .locator('#parts li img')
    .evaluateAll((images) => images.map((image) => getComputedStyle(image).backgroundImage));
  expect(backgrounds).toHaveLength(15);
  for (const background of backgrounds) expect(background).toContain('conic-gradient');
});

test.each([320, 360, 1100])('at %i px no part is alone below a line of three or more', async (width) => {
  const { page } = await newVisitor({ viewport: { width, height: 800 } });
  for (const path of ['/agencies', '/indie']) {
    await page.goto(site + path);
    const lines = await page.locator('main ul:has(> li img):not(:has(ul))').evaluateAll((lists) =>
      lists.map((list) => {
        const tops = Array.from(list.children, (part) => Math.round(part.getBoundingClientRect().bottom));
        return [...new Set(tops)].map((top) => tops.filter((other) => other === top).length);
      }),
    );
    expect(lines.length).toBeGreaterThan(2);
    expect(lines.filter((parts) => parts.at(-1) === 1 && Math.max(...parts) > 2)).toEqual([]);
  }
});
