import type { Page } from 'playwright-core';
import { lost } from './lost-content.ts';

/** https://www.w3.org/TR/WCAG22/#text-spacing: visitors may increase the spacing of texts. */

const widths = [320, 390, 768, 1024, 1280, 1920];

const spacing =
  '*{line-height:1.5!important;letter-spacing:.12em!important;word-spacing:.16em!important}' +
  'p{margin-bottom:2em!important}';

/** Pairs of overlapping texts; runs in the page. Excludes drawings and texts for screen readers. */
function overlaps(): string[] {
  const boxes: { text: string; parent: Element; box: DOMRect }[] = [];
  // The column names of a table whose rows are stacked.
  const isClipped = (element: Element | null): boolean =>
    element !== null &&
    (getComputedStyle(element).clipPath === 'inset(50%)' || isClipped(element.parentElement));
  const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = texts.nextNode(); node; node = texts.nextNode()) {
    const parent = node.parentElement;
    const text = (node.nodeValue ?? '').trim();
    if (!parent || !text || parent.closest('svg, pre, select, dialog:not([open]), .visually-hidden'))
      continue;
    if (!parent.checkVisibility({ visibilityProperty: true, opacityProperty: true }) || isClipped(parent))
      continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    for (const box of range.getClientRects())
      if (box.width > 1 && box.right > 0) boxes.push({ text: text.slice(0, 30), parent, box });
  }
  boxes.sort((a, b) => a.box.top - b.box.top);
  const found = new Set<string>();
  for (const [index, { text, parent, box }] of boxes.entries())
    for (const other of boxes.slice(index + 1)) {
      if (other.box.top >= box.bottom) break;
      const high = Math.min(box.bottom, other.box.bottom) - other.box.top;
      const wide = Math.min(box.right, other.box.right) - Math.max(box.left, other.box.left);
      const isFixed = (element: Element | null): boolean =>
        element !== null &&
        (/fixed|sticky/.test(getComputedStyle(element).position) || isFixed(element.parentElement));
      // Line boxes of one text are higher than its letters.
      if (
        wide > 2 &&
        high > 0.4 * Math.min(box.height, other.box.height) &&
        !isFixed(parent) &&
        !isFixed(other.parent)
      )
        found.add(`"${text}" and "${other.text}"`);
    }
  return [...found];
}

/** Adds what increased text spacing cuts, covers or moves off the screen, by path and width. */
export async function findSpacingProblems(
  page: Page,
  path: string,
  found: Record<string, string[]>,
): Promise<void> {
  for (const width of widths) {
    await page.setViewportSize({ width, height: 800 });
    const before = new Set(await page.evaluate(overlaps));
    const style = await page.evaluate((css) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(css);
      document.adoptedStyleSheets.push(sheet);
      return document.adoptedStyleSheets.length;
    }, spacing);
    const all = [
      ...(await page.evaluate(lost)),
      ...(await page.evaluate(overlaps)).filter((pair) => !before.has(pair)),
    ];
    if (all.length > 0) found[`${path} at ${width} px`] = all;
    await page.evaluate((index) => document.adoptedStyleSheets.splice(index - 1, 1), style);
  }
}
