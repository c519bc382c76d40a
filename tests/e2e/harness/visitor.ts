import type { Browser, BrowserContext, Page, Request, ViewportSize } from 'playwright-core';
import { launchBrowser, type BrowserOwner } from './browser.ts';
import { arrival } from '@site/server/testing/wait-for';
import { PATIENCE_MS, until } from './until.ts';

/** A visitor: a fresh browser profile with one page, and all of its errors. */
export interface Visitor {
  context: BrowserContext;
  page: Page;
  problems(): string[];
  requested(): string[];
  /** The number of pending requests by scripts of the open document. */
  unanswered(): number;
  close(): Promise<void>;
}

export interface VisitorOptions {
  viewport?: ViewportSize;
  javaScript?: boolean;
  anyCertificate?: boolean;
}

export async function newVisitor(browser: Browser, options: VisitorOptions = {}): Promise<Visitor> {
  const context = await browser.newContext({
    viewport: options.viewport ?? { width: 1280, height: 900 },
    // A fixed locale: some machines have one that is not a language tag.
    locale: 'en-US',
    javaScriptEnabled: options.javaScript ?? true,
    ignoreHTTPSErrors: options.anyCertificate ?? false,
  });
  context.setDefaultTimeout(PATIENCE_MS);
  const problems: string[] = [];
  const requested: string[] = [];
  const page = await context.newPage();
  page.on('console', (message) => {
    if (message.type() === 'error' || message.type() === 'warning')
      problems.push(`${message.type()}: ${message.text()}`);
  });
  page.on('pageerror', (error) => problems.push(`uncaught: ${error.message}`));
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  const unanswered = new Set<Request>();
  page.on('request', (request) => {
    if (request.resourceType() === 'fetch') unanswered.add(request);
    else if (request.isNavigationRequest()) unanswered.clear();
  });
  page.on('requestfinished', (request) => unanswered.delete(request));
  page.on('requestfailed', (request) => unanswered.delete(request));
  await page.addInitScript(() => {
    document.addEventListener('securitypolicyviolation', (event) => {
      console.error(`CSP violation: ${event.violatedDirective} ${event.blockedURI}`);
    });
  });
  return {
    context,
    page,
    problems: () => [...problems],
    requested: () => [...requested],
    unanswered: () => unanswered.size,
    close: () => context.close(),
  };
}

/**
 * Starts a browser for the tests of this file.
 * @param owner the browser owner's settings.
 * @returns opens a fresh profile, which is closed after the test; one opened in `beforeAll` is closed after all tests.
 */
export function visitors(owner?: BrowserOwner): (options?: VisitorOptions) => Promise<Visitor> {
  let browser: Browser;
  const opened: Visitor[] = [];
  beforeAll(async () => {
    browser = await launchBrowser(owner);
  });
  beforeEach(() => {
    opened.length = 0;
  });
  afterEach(async () => {
    await Promise.all(opened.splice(0).map((visitor) => visitor.close()));
  });
  afterAll(() => browser.close());
  return async (options) => {
    const visitor = await newVisitor(browser, options);
    opened.push(visitor);
    return visitor;
  };
}

/** Opens a path and waits until the page is fully hydrated. */
export async function open(visitor: Visitor, url: string): Promise<void> {
  await visitor.page.goto(url);
  await hydrated(visitor.page);
}

/**
 * Waits until the open page is fully hydrated and has its layout below the fold. It responds earlier: React hydrates
 * touched parts first.
 */
export async function hydrated(page: Page): Promise<void> {
  await page.waitForSelector('html[data-interactive] main[data-whole]', { state: 'attached' });
  await until(async () => {
    const silent = await silentControls(page);
    if (silent.length > 0) throw new Error(`${page.url()} is not hydrated yet: ${silent.join(' ')}`);
  });
}

export function idle(page: Page): Promise<void> {
  return arrival(
    `${page.url()} to be idle`,
    page.evaluate(() => {
      // With a limit: Chromium sometimes has no idle time for minutes on a busy machine.
      const nextIdle = () => new Promise((resolve) => requestIdleCallback(resolve, { timeout: 2_000 }));
      return nextIdle()
        .then(nextIdle)
        .then(() => undefined);
    }),
    PATIENCE_MS,
  );
}

/**
 * Advances the clock of a page; requires `page.clock.install()` before. Waits for pending responses first, since these
 * requests would appear to take that long.
 * @param time in Playwright's format, such as `00:31`.
 */
export async function leap({ page, unanswered }: Visitor, time: string): Promise<void> {
  await until(async () => {
    await idle(page);
    if (unanswered() > 0) throw new Error(`${page.url()} waits for ${unanswered()} answers.`);
  });
  await page.clock.fastForward(time);
}

/** Controls of the page and the shell that React has not hydrated. */
function silentControls(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('#root :is(input, select, textarea, button)')]
      .filter((control) => !Object.keys(control).some((key) => key.startsWith('__react')))
      .map((control) => control.outerHTML),
  );
}
