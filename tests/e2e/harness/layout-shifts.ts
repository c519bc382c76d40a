import type { Page } from 'playwright-core';

export interface LayoutShifts {
  /**
   * The sum of all shift scores: the moved share of the viewport times the distance. Up to 0.1 is good (web.dev/cls).
   */
  total: number;
  /** The moved elements, each as the beginning of its markup. */
  moved: string[];
}

/** Records layout shifts from the page's next navigation. */
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

export async function readShifts(page: Page): Promise<LayoutShifts> {
  return page.evaluate(async () => {
    // After two frames, all shifts so far are painted and reported.
    for (let frame = 0; frame < 2; frame += 1) await new Promise(requestAnimationFrame);
    return (globalThis as unknown as { shifts: LayoutShifts }).shifts;
  });
}

/**
 * Blocks the site's fonts for a page.
 * @returns unblocks them.
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

interface LayoutShiftEntry extends PerformanceEntry {
  value: number;
  sources: readonly { node?: Node }[];
}
