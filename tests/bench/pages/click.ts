import type { Browser } from 'playwright-core';
import { newSlowVisitor, untilInteractive, untilQuiet } from './visit.ts';

/** From the click to the painted new heading, in milliseconds. */
export interface Click {
  from: string;
  to: string;
  took: number;
}

/**
 * Clicks from page to page through all links of the footer and the header, with all pages prefetched.
 *
 * @param path the first page.
 * @param order the pages in sequence; pages that the open page does not link to are skipped.
 */
export async function clickThrough(
  browser: Browser,
  site: URL,
  path: string,
  order: string[],
): Promise<Click[]> {
  const { context, page } = await newSlowVisitor(browser, site, 'site');
  const clicks: Click[] = [];
  try {
    await page.goto(new URL(path, site).href, { waitUntil: 'load' });
    await untilInteractive(page);
    await untilQuiet(page);
    let from = path;
    for (const to of order) {
      if (to === from) continue;
      const isLinked = await page.evaluate((href) => {
        const link = [...document.links].find((each) => each.pathname === href && !each.hash && !each.target);
        // Touching a link prefetches the page's code.
        link?.dispatchEvent(new PointerEvent('pointerover', { bubbles: true }));
        return link !== undefined;
      }, to);
      if (!isLinked) continue;
      await untilQuiet(page);
      const { painted: took } = await page.evaluate(clickAndWait, to);
      clicks.push({ from, to, took });
      from = to;
      await untilQuiet(page);
    }
    return clicks;
  } finally {
    await context.close();
  }
}

/**
 * Runs in the page. @returns milliseconds from the click until the new heading is in the document, and until it is
 * painted.
 */
export function clickAndWait(href: string): Promise<{ shown: number; painted: number }> {
  const link = [...document.links].find((each) => each.pathname === href && !each.hash && !each.target);
  const old = document.querySelector('h1');
  return new Promise((resolve, reject) => {
    const patience = setTimeout(() => reject(new Error(`No new heading after a click on ${href}.`)), 10_000);
    const started = performance.now();
    const seen = new MutationObserver(() => {
      const heading = document.querySelector('h1');
      if (!heading || heading === old) return;
      seen.disconnect();
      clearTimeout(patience);
      const shown = performance.now() - started;
      // The frame with the heading, and the task after that frame.
      requestAnimationFrame(() => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve({ shown, painted: performance.now() - started });
        port2.postMessage(null);
      });
    });
    seen.observe(document.body, { subtree: true, childList: true });
    link?.click();
  });
}
