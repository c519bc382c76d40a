import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { open, visitors } from './harness/visitor.ts';

const phones = [320, 375, 414];

/**
 * What leaves the screen, or is cut off: runs in the page. What scrolls by itself (code, wide tables) shows everything, and so
 * do texts for screen readers.
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

describe.each([20, 24, 32])('with texts of %d px', (textSize) => {
  const newVisitor = visitors({ textSize });

  test('no page leaves a phone, and nothing is cut off', async () => {
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
        const problems = await page.evaluate(lost);
        if (problems.length > 0) found[`${path} at ${width} px`] = problems;
      }
    }
    expect(found).toEqual({});
    expect(visitor.problems()).toEqual([]);
  });

  test('the menu of a phone opens, shows all and closes by its backdrop', async () => {
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
