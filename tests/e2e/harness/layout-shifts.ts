import type { Page } from 'playwright-core';

/** What has moved on a page without the visitor's doing. */
export interface LayoutShifts {
  /** The sum of all shifts: the share of the view that moved times how far it moved. Up to 0.1 is good (web.dev/cls). */
  total: number;
  /** What moved, each as the beginning of its markup. */
  moved: string[];
}

/** Counts what moves on the page from its next navigation on. */
export async function watchShifts(page: Page): Promise<void> {
  await page.addInitScript(() => {
    const shifts: LayoutShifts = { total: 0, moved: [] };
    Object.assign(globalThis, { shifts });
    new PerformanceObserver((list) => {
      for (const entry of list.getEntries() as LayoutShiftEntry[]) {
        shifts.total += entry.value;
        for (const { node } of entry.sources)
          shifts.moved.push(
            node instanceof Element ? node.outerHTML.slice(0, 120) : (node?.textContent ?? ''),
          );
      }
    }).observe({ type: 'layout-shift', buffered: true });
  });
}

/** What has moved so far. */
export async function shiftsOf(page: Page): Promise<LayoutShifts> {
  return page.evaluate(async () => {
    // Two frames: what has shifted by now is painted, and reported.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return (globalThis as unknown as { shifts: LayoutShifts }).shifts;
  });
}

/**
 * Keeps the fonts of the site away from a page.
 *
 * @returns lets them come.
 */
export async function holdFonts(page: Page): Promise<() => void> {
  let letThemCome = (): void => undefined;
  const wanted = new Promise<void>((resolve) => (letThemCome = resolve));
  await page.route('**/*.woff2', async (route) => {
    await wanted;
    await route.continue();
  });
  return letThemCome;
}

/** TypeScript's library does not know it yet. */
interface LayoutShiftEntry extends PerformanceEntry {
  value: number;
  sources: readonly { node?: Node }[];
}
