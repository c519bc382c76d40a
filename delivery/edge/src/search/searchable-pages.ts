import { searchLimits, type SearchSection } from '@site/contract';
import { plainText } from '@site/contract/text';
import type { ListedPage } from '../pages/site-texts.ts';

export interface SearchablePage {
  app: string;
  listed: ListedPage;
  sections: readonly SearchSection[];
}

export interface SearchEntry {
  id: number;
  app: string;
  href: string;
  title: string;
  heading: string;
  text: string;
}

/**
 * Excludes noindex pages and entries beyond a remote's limit or its share of the release's limit, so that no remote
 * exhausts an edge's memory or displaces others.
 */
export function searchEntries(pages: readonly SearchablePage[]): SearchEntry[] {
  const entries: SearchEntry[] = [];
  const used = new Map<string, number>();
  const parts = new Set(pages.map(({ app }) => app)).size;
  const room = Math.min(searchLimits.remote, searchLimits.release / parts);
  for (const { app, listed, sections } of pages) {
    if (listed.isHidden) continue;
    const title = plainText(pageTitle(listed));
    const [first, ...rest] = sections;
    const top = {
      anchor: null,
      heading: '',
      text: [plainText(listed.description ?? ''), first?.text].filter(Boolean).join(' '),
    };
    for (const { anchor, heading, text } of [top, ...rest]) {
      const size = title.length + heading.length + text.length;
      const own = (used.get(app) ?? 0) + size;
      if (own > room) break;
      used.set(app, own);
      const href = anchor === null ? listed.path : `${listed.path}#${anchor}`;
      entries.push({ id: entries.length, app, href, title, heading, text });
    }
  }
  return entries;
}

function pageTitle({ path, title, siteName }: ListedPage): string {
  const full = title ?? path;
  return siteName === null ? full : full.replace(` · ${siteName}`, '');
}
