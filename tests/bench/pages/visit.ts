import type { Browser, BrowserContext, Page } from 'playwright-core';
import type { Variant } from './variants.ts';

/** The measurements of one page visit. Times in milliseconds since the start of the navigation, sizes in bytes. */
export interface Visit {
  lcp: number;
  interactive: number | null;
  /**
   * Total blocking time: beyond 50 ms per task, from the first paint until two seconds after the page is interactive.
   */
  blocking: number;
  /** Scripts loaded when the page became interactive, in transferred bytes. */
  scripts: number;
  elements: number;
}

/** A slow phone on a slow network: the conditions of every figure. */
export const conditions = { latencyMs: 150, downloadKbits: 1_600, uploadKbits: 750, cpuSlowdown: 4 };
const viewport = { width: 412, height: 823 };

/** A first-time visitor on a slow phone. */
export async function newSlowVisitor(
  browser: Browser,
  site: URL,
  variant: Variant,
): Promise<{ context: BrowserContext; page: Page }> {
  const context = await browser.newContext({
    viewport,
    isMobile: true,
    hasTouch: true,
    deviceScaleFactor: 2,
  });
  await context.addCookies([{ name: 'variant', value: variant, url: site.origin }]);
  await context.addInitScript(watch);
  const page = await context.newPage();
  await slowDown(page);
  return { context, page };
}

async function slowDown(page: Page): Promise<void> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send('Network.enable');
  await devtools.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: conditions.latencyMs,
    downloadThroughput: (conditions.downloadKbits * 1_000) / 8,
    uploadThroughput: (conditions.uploadKbits * 1_000) / 8,
  });
  await devtools.send('Emulation.setCPUThrottlingRate', { rate: conditions.cpuSlowdown });
}

/** Opens a page for the first time and measures it. */
export async function visit(browser: Browser, url: URL, variant: Variant): Promise<Visit> {
  const { context, page } = await newSlowVisitor(browser, url, variant);
  try {
    await page.goto(url.href, { waitUntil: 'load' });
    if (variant !== 'static') await untilInteractive(page);
    await untilQuiet(page);
    return await page.evaluate(() => {
      const { lcp, interactive, tasks } = (globalThis as unknown as Watched).watched;
      const painted = performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? 0;
      const scripts = performance
        .getEntriesByType('resource')
        .filter(({ name, responseEnd }) => /\.js(\?|$)/.test(name) && responseEnd <= (interactive ?? 0));
      return {
        lcp,
        interactive,
        blocking: tasks
          .filter(({ start, duration }) => start + duration > painted)
          .reduce((sum, { duration }) => sum + duration - 50, 0),
        scripts: scripts.reduce((sum, { encodedBodySize }) => sum + encodedBodySize, 0),
        elements: document.querySelectorAll('*').length,
      };
    });
  } finally {
    await context.close();
  }
}

/**
 * The browser's requests when it opens a visited page again.
 *
 * @param asked returns the requested paths since its last call.
 */
export async function visitAgain(browser: Browser, url: URL, asked: () => string[]): Promise<string[]> {
  const { context, page } = await newSlowVisitor(browser, url, 'site');
  try {
    await page.goto(url.href, { waitUntil: 'load' });
    await untilInteractive(page);
    await untilQuiet(page);
    await page.goto('about:blank');
    asked();
    await page.goto(url.href, { waitUntil: 'load' });
    await untilInteractive(page);
    await untilQuiet(page);
    return asked();
  } finally {
    await context.close();
  }
}

export async function untilInteractive(page: Page): Promise<void> {
  await page.waitForSelector('html[data-interactive]', { state: 'attached' });
}

/** Waits for a second without loading and without long tasks. */
export async function untilQuiet(page: Page): Promise<void> {
  const asked = await page.evaluate(() => performance.now());
  await page.waitForFunction(
    (since) => performance.now() - Math.max(since, (globalThis as unknown as Watched).watched.busy()) > 1_000,
    asked,
    { polling: 200 },
  );
}

/**
 * The largest contentful paint, and when the page became interactive: milliseconds since the start of the navigation.
 */
export function readTimes(page: Page): Promise<{ lcp: number; interactive: number | null }> {
  return page.evaluate(() => {
    const { lcp, interactive } = (globalThis as unknown as Watched).watched;
    return { lcp, interactive };
  });
}

interface Watched {
  watched: {
    lcp: number;
    interactive: number | null;
    tasks: { start: number; duration: number }[];
    /** The time of the last activity. */
    busy(): number;
  };
}

/** Runs in the page before any other script. */
function watch(): void {
  const watched: Watched['watched'] = {
    lcp: 0,
    interactive: null,
    tasks: [],
    busy() {
      const loaded = performance
        .getEntriesByType('resource')
        .map((entry) => entry.startTime + entry.duration);
      const ran = watched.tasks.map(({ start, duration }) => start + duration);
      return Math.max(0, watched.interactive ?? 0, ...loaded, ...ran);
    },
  };
  Object.assign(globalThis, { watched });
  new PerformanceObserver((list) => {
    for (const { startTime } of list.getEntries()) watched.lcp = startTime;
  }).observe({ type: 'largest-contentful-paint', buffered: true });
  new PerformanceObserver((list) => {
    for (const { startTime, duration } of list.getEntries())
      watched.tasks.push({ start: startTime, duration });
  }).observe({ type: 'longtask', buffered: true });
  new MutationObserver(() => {
    if (document.documentElement.hasAttribute('data-interactive')) watched.interactive ??= performance.now();
  }).observe(document, { subtree: true, attributes: true, attributeFilter: ['data-interactive'] });
}
