import { globSync } from 'node:fs';
import { join } from 'node:path';
import type { RemoteConfig } from '@site/contract';

const root = join(import.meta.dirname, '../../..');

const remotes = await Promise.all(
  globSync('mfe-*/remote.config.ts', { cwd: root })
    .sort()
    .map(async (path) => ((await import(join(root, path))) as { default: RemoteConfig }).default),
);

const declaredPages = remotes.flatMap(({ name, pages }) => pages.map(({ path }) => ({ path, remote: name })));

/** The pages of blocks that differ from the one of Forms only in content. */
export const blockPages = declaredPages.filter(
  ({ path }) => path.startsWith('/blocks/') && !['/blocks/auth', '/blocks/forms'].includes(path),
);

/** The pages for tests that visit them one by one: all but `blockPages`. */
export const sitePages = declaredPages.filter((page) => !blockPages.includes(page));

export function readHeading(html: string): string {
  const headings = [...html.matchAll(/<h1[^>]*>(.*?)<\/h1>/gs)].map(([, inner = '']) => plainText(inner));
  const [heading] = headings;
  if (headings.length !== 1 || !heading)
    throw new Error(`Expected one <h1> with text, found: ${JSON.stringify(headings)}`);
  return heading;
}

/** The text of a document's own `<title>` (drawings have titles as well). */
export function readTitle(html: string): string {
  return plainText(/<head>.*?<title>(.*?)<\/title>/s.exec(html)?.[1] ?? '');
}

export function plainText(markup: string): string {
  return markup
    .replace(/<!--.*?-->|<[^>]+>/gs, '')
    .replaceAll('&amp;', '&')
    .replaceAll('&#x27;', "'")
    .replaceAll('&quot;', '"')
    .trim();
}
