import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { AxeBuilder } from '@axe-core/playwright';
import { launchBrowser } from '../e2e/harness/browser.ts';
import { newVisitor, open } from '../e2e/harness/visitor.ts';
import { MAIL } from './collect-forms-pages.ts';
import type { Judged, Verdict } from './verdict.ts';

/** In px: twice the browsers' default. */
const LARGE_TEXT = 32;

/** Email clients show an email within their own page, which has these. */
const notOfMails = ['landmark-one-main', 'region'];

const standards = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** axe, on a phone with twice the default text size. */
export async function judgeWithLargeText({ site, paths, pages, documents }: Judged): Promise<Verdict> {
  const browser = await launchBrowser({ textSize: LARGE_TEXT });
  const problems: string[] = [];
  try {
    const visitor = await newVisitor(browser, { viewport: { width: 375, height: 812 } });
    await visitor.page.emulateMedia({ reducedMotion: 'reduce' });
    const look = async (name: string) => {
      const { violations } = await new AxeBuilder({ page: visitor.page })
        .options({ runOnly: standards, resultTypes: ['violations'] })
        .setLegacyMode()
        .analyze();
      for (const { id, nodes } of violations)
        if (!name.startsWith(MAIL) || !notOfMails.includes(id))
          for (const { target } of nodes) problems.push(`${name}: ${id}: ${target.join(' ')}`);
    };
    for (const path of paths) {
      await open(visitor, site.url + path);
      await look(path);
    }
    for (const name of documents) {
      await visitor.page.goto(pathToFileURL(join(pages, name)).href);
      await look(name);
    }
  } finally {
    await browser.close();
  }
  return { judge: 'axe, text at 200 %', looked: `${paths.length + documents.length} pages`, problems };
}
