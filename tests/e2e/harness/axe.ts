import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

export interface Looked {
  /** Names of rules or rule groups. */
  rules: string[];
  /** A selector of excluded elements. */
  exclude?: string;
}

/**
 * axe-core's findings in the page's current state: rule and element. axe is half a megabyte, so it is injected into a
 * document only once.
 */
export async function violationsIn(page: Page, { rules, exclude }: Looked): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void axe' } : {}) })
    .options({ runOnly: rules, resultTypes: ['violations'] })
    // The site has no frames, so axe needs no separate page to merge results.
    .setLegacyMode();
  if (exclude !== undefined) builder.exclude(exclude);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
