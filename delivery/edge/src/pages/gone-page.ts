import { escapeText } from '@site/contract/text';
import type { DocumentParts } from '@site/documents/document';
import type { EdgePage } from './edge-page.ts';

/** The page at addresses of retired apps. */
export const gonePage: EdgePage = {
  status: 410,
  title: 'This page is gone',
  html: '<p>It was taken off this site, and nothing has taken its place.</p><p><a href="/">Go to the home page</a></p>',
};

const css =
  '#gone{max-inline-size:36rem;margin-inline:auto;padding:4rem 1.25rem}#gone h1{font-size:clamp(2rem,6vw,3rem)}' +
  '#gone p{margin-block-start:1rem}';

/** Whether `goneParts` can be built from a page. */
export function hasFrame(html: string): boolean {
  return frameOf(html) !== null;
}

/** Whether the page's navigation marks the current link. */
export function isMarked(html: string): boolean {
  const { before = '', after = '' } = frameOf(html) ?? {};
  return current.test(before) || current.test(after);
}

const current = / aria-current="[a-z]+"/;

/**
 * Converts a release's page to the "gone" page: `<main>` is replaced, the rest is kept. It has no scripts,
 * because they would find no page at this address, so its styles for documents without scripts apply.
 *
 * @param siteName the site's name, for the title.
 */
export function goneParts(parts: DocumentParts, siteName: string | null): DocumentParts {
  const { title, html } = gonePage;
  const frame = frameOf(parts.page?.html ?? '');
  const text = escapeText(title);
  const name = siteName === null ? '' : ` · ${escapeText(siteName)}`;
  return {
    ...parts,
    styles: [
      ...parts.styles.map(({ href, css: text }) => ({ href, css: forNoScripts(text) })),
      { href: '', css },
    ],
    preloads: [],
    entry: null,
    boot: null,
    card: null,
    page: {
      head: `<title>${text}${name}</title><meta name="robots" content="noindex">`,
      html: `${unmarked(frame?.before)}<div id="gone"><h1>${text}</h1>${html}</div>${unmarked(frame?.after)}`,
    },
  };
}

/** The markup before and after the contents of `<main>`. */
function frameOf(html: string): { before: string; after: string } | null {
  const opening = /<main\b[^>]*>/.exec(html);
  const end = html.lastIndexOf('</main>');
  if (!opening || end < opening.index) return null;
  return { before: html.slice(0, opening.index + opening[0].length), after: html.slice(end) };
}

/** No navigation link is the current page. */
const unmarked = (text = '') => text.replaceAll(new RegExp(current, 'g'), '');

/**
 * https://www.w3.org/TR/mediaqueries-5/#scripting: scripting is enabled in the browser, but the page has no scripts.
 */
function forNoScripts(style: string): string {
  return style.replaceAll(/\(scripting:\s*none\)/g, 'all').replaceAll(/\(scripting:\s*enabled\)/g, 'not all');
}
