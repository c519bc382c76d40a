import { existsSync } from 'node:fs';
import { chromium, type Browser } from 'playwright-core';

/** No background requests; can run as root. */
export const flags = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];

const systemBrowsers = [
  process.env['CHROME_PATH'],
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
];

/** The system's Chrome or Chromium, else Playwright's own, else the one in the npm package @sparticuz/chromium. */
export async function findBrowser(): Promise<string> {
  const found = [...systemBrowsers, chromium.executablePath()].find((path) => path && existsSync(path));
  if (found) return found;
  const { default: packaged } = await import('@sparticuz/chromium');
  return packaged.executablePath();
}

/** The browser owner's settings. */
export interface BrowserOwner {
  /** The default font size, in px. Browsers default to 16. */
  textSize?: number;
}

/** Starts a headless browser. */
export async function launchBrowser({ textSize }: BrowserOwner = {}): Promise<Browser> {
  // Headless browsers ignore the profile's setting. With this flag, lengths in media queries scale as for a visitor.
  const args = textSize === undefined ? flags : [...flags, `--blink-settings=defaultFontSize=${textSize}`];
  return chromium.launch({ executablePath: await findBrowser(), args, headless: true });
}
