import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';

export interface Looked {
  /** Names of rules, or of groups of them. */
  rules: string[];
  /** A selector of what is not looked at. */
  exclude?: string;
}

/**
 * What axe-core finds wrong with a page as it stands: rule and element.
 *
 * It is put into a document once: it is half a megabyte, and would be read twice before each look.
 */
export async function violationsIn(page: Page, { rules, exclude }: Looked): Promise<string[]> {
  const isThere = await page.evaluate(() => 'axe' in window);
  const builder = new AxeBuilder({ page, ...(isThere ? { axeSource: 'void axe' } : {}) })
    .options({ runOnly: rules, resultTypes: ['violations'] })
    // Nothing of ours has frames: axe need not look for them in a page of its own.
    .setLegacyMode();
  if (exclude !== undefined) builder.exclude(exclude);
  const { violations } = await builder.analyze();
  return violations.flatMap(({ id, nodes }) => nodes.map(({ target }) => `${id}: ${target.join(' ')}`));
}
