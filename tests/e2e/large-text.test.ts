import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { open, visitors } from './harness/visitor.ts';

const phones = [320, 375, 414];

/**
 * Content outside the screen or cut off; runs in the page. Excludes scrollable elements (code, wide tables) and texts
 * for screen readers.
 */
function lost(): string[] {
  const width = document.documentElement.clientWidth;
  const found: string[] = [];
  if (document.documentElement.scrollWidth > width)
    found.push(`page: ${document.documentElement.scrollWidth}`);
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg, dialog:not([open]), [aria-hidden="true"]')) continue;
    const box = element.getBoundingClientRect();
    const { overflowX, clipPath } = getComputedStyle(element);
    if (clipPath !== 'none' || box.width < 2 || (box.right <= 0 && box.left < -width)) continue;
    const isInScroller = (inner: Element | null): boolean =>
      inner !== null &&
      (/auto|scroll/.test(getComputedStyle(inner).overflowX) || isInScroller(inner.parentElement));
    if (isInScroller(element.parentElement)) continue;
    const what = `${element.tagName.toLowerCase()} "${element.textContent.slice(0, 30)}"`;
    if (box.right > width + 1 || box.left < -1) found.push(`${what} reaches ${Math.round(box.right)}`);
    if (/clip|hidden/.test(overflowX) && element.scrollWidth > element.clientWidth + 1)
      found.push(`${what} is cut`);
  }
  return found;
}

/** Texts in very narrow columns; runs in the page. A word may be broken once. */
function scattered(): string[] {
  const found: string[] = [];
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const words = (text.textContent ?? '').trim().split(/[\s–-]+/);
    if (text.parentElement?.closest('svg, pre, select, dialog:not([open])')) continue;
    const range = document.createRange();
    range.selectNodeContents(text);
    const tops = [...range.getClientRects()]
      .filter(({ width, right }) => width > 1 && right > 0)
      .map(({ top }) => Math.round(top));
    const lines = new Set(tops).size;
    // An address is one word, and may be long.
    const most = words.reduce((sum, word) => sum + Math.max(2, Math.ceil(word.length / 6)), 0);
    if (lines > most) found.push(`"${words.join(' ').slice(0, 40)}" has ${lines} lines`);
  }
  return found;
}

describe.each([20, 24, 32])('with texts of %d px', (textSize) => {
  const newVisitor = visitors({ textSize });

  test('no page is wider than a phone, and nothing is cut off', async () => {
    const visitor = await newVisitor({ viewport: { width: 320, height: 700 } });
    const { page } = visitor;
    const found: Record<string, string[]> = {};
    for (const { path } of sitePages) {
      await open(visitor, sharedSite().url + path);
      expect(await page.evaluate(() => getComputedStyle(document.documentElement).fontSize)).toBe(
        `${textSize}px`,
      );
      for (const width of [...phones, 768, 1280]) {
        await page.setViewportSize({ width, height: 700 });
        const problems = [...(await page.evaluate(lost)), ...(await page.evaluate(scattered))];
        if (problems.length > 0) found[`${path} at ${width} px`] = problems;
      }
    }
    expect(found).toEqual({});
    expect(visitor.problems()).toEqual([]);
  });

  test('validation errors of a form are readable', async () => {
    const visitor = await newVisitor({ viewport: { width: 320, height: 700 } });
    const { page } = visitor;
    await open(visitor, `${sharedSite().url}/partners`);
    for (const name of ['Send referral', 'Send application']) {
      await page.getByRole('button', { name }).click();
      await page.locator('form').filter({ hasText: name }).getByRole('alert').first().waitFor();
    }
    expect(await page.evaluate(lost)).toEqual([]);
    expect(await page.evaluate(scattered)).toEqual([]);
    expect(visitor.problems()).toEqual([]);
  });

  test('the menu of a phone opens, is complete and closes by its backdrop', async () => {
    const visitor = await newVisitor({ viewport: { width: 320, height: 700 } });
    const { page } = visitor;
    await open(visitor, `${sharedSite().url}/blocks`);
    await page.getByRole('button', { name: 'Open the menu' }).click();
    const panel = page.getByRole('dialog', { name: 'Menu' });
    await panel.waitFor();
    await page.waitForFunction(() => document.getAnimations().length === 0);
    expect(await page.evaluate(lost)).toEqual([]);
    expect(await panel.getByRole('link', { name: 'Sign Up' }).isVisible()).toBe(true);
    await page.mouse.click(44, 350);
    await panel.waitFor({ state: 'hidden' });
    expect(visitor.problems()).toEqual([]);
  });
});
