import type { Locator, Page } from 'playwright-core';

export const isFocused = (element: Locator): Promise<boolean> =>
  element.evaluate((node) => node === document.activeElement);

/** Presses Tab until this element has the focus. @throws Error if it never gets it. */
export async function tabTo(page: Page, element: Locator, most = 80): Promise<void> {
  for (let presses = 0; presses < most; presses += 1) {
    await page.keyboard.press('Tab');
    if (await isFocused(element)) return;
  }
  throw new Error(`${most} times Tab did not lead to ${String(element)}.`);
}
