import { escapeText } from '@site/contract/escape-html';
import type { DocumentParts } from './document.ts';
import type { EdgePage } from './edge-page.ts';

/** What is said at an address of an app that was retired. */
export const gonePage: EdgePage = {
  status: 410,
  title: 'This page is gone',
  html: '<p>It was taken off this site, and nothing has taken its place.</p><p><a href="/">Go to the home page</a></p>',
};

const css =
  '#gone{max-inline-size:36rem;margin-inline:auto;padding:4rem 1.25rem}#gone h1{font-size:clamp(2rem,6vw,3rem)}' +
  '#gone p{margin-block-start:1rem}';

/** Whether `goneParts` can be made of a page. */
export function hasFrame(html: string): boolean {
  return frameOf(html) !== null;
}

/** Whether the frame of a page shows that it is the page: a link of the navigation leads to it, and looks so. */
export function isMarked(html: string): boolean {
  const { before = '', after = '' } = frameOf(html) ?? {};
  return current.test(before) || current.test(after);
}

const current = / aria-current="[a-z]+"/;

/**
 * Turns a page of a release into the one that says that a page is gone: with everything around its `<main>` as it is, and other words
 * in it. Without scripts, which would find no page at the address; so what its styles have for documents without scripts holds.
 *
 * @param siteName the name of the site, for the title.
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

/** What stands before and after the contents of `<main>`. */
function frameOf(html: string): { before: string; after: string } | null {
  const opening = /<main\b[^>]*>/.exec(html);
  const end = html.lastIndexOf('</main>');
  if (!opening || end < opening.index) return null;
  return { before: html.slice(0, opening.index + opening[0].length), after: html.slice(end) };
}

/** No link leads to the page that is shown. */
const unmarked = (text = '') => text.replaceAll(new RegExp(current, 'g'), '');

/** https://www.w3.org/TR/mediaqueries-5/#scripting: the browser may run scripts, but there are none. */
function forNoScripts(style: string): string {
  return style.replaceAll(/\(scripting:\s*none\)/g, 'all').replaceAll(/\(scripting:\s*enabled\)/g, 'not all');
}
