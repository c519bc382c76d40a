import { lost } from './harness/lost-content.ts';
import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { open, visitors } from './harness/visitor.ts';

const phones = [320, 375, 414];

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
