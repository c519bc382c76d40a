import { existsSync } from 'node:fs';
import { launch, type Browser, type KeyInput, type Page } from 'puppeteer-core';
import { findBrowser, flags } from '../browser.ts';
import { PATIENCE_MS } from '../until.ts';
import type { Engine, Profile, Tab } from './engine.ts';

const FIREFOX = process.env['FIREFOX_PATH'] ?? '/usr/bin/firefox-esr';

export const chromium = engine({
  name: 'Chromium',
  missing: null,
  open: async (profile = {}) =>
    openTab(
      await launch({
        executablePath: await findBrowser(),
        args: profile.keyHash
          ? [...flags, `--ignore-certificate-errors-spki-list=${profile.keyHash}`]
          : flags,
        acceptInsecureCerts: profile.keyHash === undefined,
        protocolTimeout: PATIENCE_MS,
      }),
      profile,
      emulateInChromium,
    ),
});

export const firefox = engine({
  name: 'Firefox',
  missing: existsSync(FIREFOX) ? null : 'no Firefox (Debian package firefox-esr, or FIREFOX_PATH)',
  open: async (profile = {}) =>
    openTab(
      await launch({
        browser: 'firefox',
        executablePath: FIREFOX,
        acceptInsecureCerts: true,
        protocolTimeout: PATIENCE_MS,
        extraPrefsFirefox: {
          'layout.css.prefers-color-scheme.content-override': profile.dark ? 0 : 1,
          ...(profile.cookies === false ? { 'network.cookie.cookieBehavior': 2 } : {}),
          ...(profile.storage === false ? { 'dom.storage.enabled': false } : {}),
          ...(profile.javaScript === false ? { 'javascript.enabled': false } : {}),
        },
      }),
      profile,
    ),
});

function engine(given: Omit<Engine, 'openWithCache'>): Engine {
  return {
    ...given,
    async openWithCache(url, keyHash) {
      const tab = await given.open({ keyHash });
      await tab.goto(url);
      return tab;
    },
  };
}

async function openTab(
  browser: Browser,
  profile: Profile,
  emulate?: (page: Page, profile: Profile) => Promise<void>,
): Promise<Tab> {
  const page = await browser.newPage();
  page.setDefaultTimeout(PATIENCE_MS);
  await page.setViewport({ width: profile.width ?? 1280, height: profile.height ?? 900 });
  await emulate?.(page, profile);
  return {
    goto: async (url) => void (await page.goto(url)),
    back: async () => void (await page.goBack({ waitUntil: [] })),
    forward: async () => void (await page.goForward({ waitUntil: [] })),
    reload: async () => void (await page.reload()),
    evaluate: (task, ...args) =>
      page.evaluate(task as unknown as (...given: unknown[]) => unknown, ...args) as never,
    click: async (selector) => {
      await page.locator(selector).setTimeout(PATIENCE_MS).click();
    },
    type: (text) => page.keyboard.type(text),
    async press(key) {
      const [last, modifier] = key.split('+').toReversed() as [KeyInput, KeyInput?];
      if (modifier) await page.keyboard.down(modifier);
      await page.keyboard.press(last);
      if (modifier) await page.keyboard.up(modifier);
    },
    resize: (width, height) => page.setViewport({ width, height }),
    screenshot: async () => Buffer.from(await page.screenshot()),
    close: () => browser.close(),
  };
}

/**
 * Emulates profile settings that Chromium lacks. Blocked storage throws, as with the setting of its UI.
 */
async function emulateInChromium(page: Page, { dark, javaScript, cookies, storage }: Profile): Promise<void> {
  await page.emulateMediaFeatures([{ name: 'prefers-color-scheme', value: dark ? 'dark' : 'light' }]);
  await page.setJavaScriptEnabled(javaScript !== false);
  if (cookies !== false && storage !== false) return;
  await page.evaluateOnNewDocument(
    (blocked: { cookies: boolean; storage: boolean }) => {
      if (blocked.cookies) Object.defineProperty(Document.prototype, 'cookie', { get: () => '', set() {} });
      for (const name of ['localStorage', 'sessionStorage'])
        Object.defineProperty(window, name, {
          get() {
            throw new DOMException('Access is denied for this document.', 'SecurityError');
          },
        });
    },
    { cookies: cookies === false, storage: storage === false },
  );
}
