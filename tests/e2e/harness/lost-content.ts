/**
 * Content outside the screen or cut off; runs in the page. Excludes scrollable elements (code, wide tables) and texts
 * for screen readers.
 */
export function lost(): string[] {
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
