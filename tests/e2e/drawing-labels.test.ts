import { sharedSite } from './harness/shared-site.ts';
import { sitePages } from './harness/site-pages.ts';
import { open, visitors } from './harness/visitor.ts';

const LEAST_PX = 11;

const newVisitor = visitors();

/** Labels of drawings that are small, cut off or on top of each other, and small texts; runs in the page. */
function illegible(least: number): string[] {
  const found: string[] = [];
  for (const svg of document.querySelectorAll('svg')) {
    const frame = svg.getBoundingClientRect();
    const edge = document.documentElement.clientWidth;
    const labels = [...svg.querySelectorAll('text')].map((text) => ({
      name: text.textContent,
      box: text.getBoundingClientRect(),
      // Prints on a brick's side are slanted: the height of their letters counts.
      size:
        parseFloat(getComputedStyle(text).fontSize) *
        Math.hypot(text.getScreenCTM()!.c, text.getScreenCTM()!.d),
    }));
    for (const { name, box, size } of labels) {
      if (box.width === 0) continue;
      if (size < least - 0.05) found.push(`"${name}" has ${size.toFixed(1)} px`);
      const [left, right] = [Math.max(frame.left, 0), Math.min(frame.right, edge)];
      if (box.left < left - 1 || box.right > right + 1) found.push(`"${name}" is cut off`);
      for (const other of labels) {
        const across = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
        const down = Math.min(box.bottom, other.box.bottom) - Math.max(box.top, other.box.top);
        if (other.name < name && across > 1 && down > box.height / 3)
          found.push(`"${name}" covers "${other.name}"`);
      }
    }
  }
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let text = texts.nextNode(); text; text = texts.nextNode()) {
    const parent = text.parentElement;
    if (!parent?.checkVisibility() || parent.closest('svg, script, style') || !text.textContent?.trim())
      continue;
    const size = parseFloat(getComputedStyle(parent).fontSize);
    if (size < least) found.push(`"${text.textContent.trim().slice(0, 40)}" has ${size.toFixed(1)} px`);
  }
  return found;
}

test.each([390, 820, 1440])('at %d px, every label of every drawing can be read', async (width) => {
  const visitor = await newVisitor({ viewport: { width, height: 844 } });
  const found: Record<string, string[]> = {};
  let labels = 0;
  for (const { path } of sitePages) {
    await open(visitor, sharedSite().url + path);
    labels += await visitor.page.locator('svg text').count();
    const problems = await visitor.page.evaluate(illegible, LEAST_PX);
    if (problems.length > 0) found[path] = problems;
  }
  expect(found).toEqual({});
  expect(labels).toBeGreaterThan(30);
  expect(visitor.problems()).toEqual([]);
});
