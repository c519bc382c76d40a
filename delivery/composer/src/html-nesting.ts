import { takeOutScripts } from './take-out-scripts.ts';

/** Tags that never have contents. */
const voids = new Set('area base br col embed hr img input link meta param source track wbr'.split(' '));
/** Tags that end an open `<p>`: https://html.spec.whatwg.org/multipage/grouping-content.html#the-p-element */
const endsParagraph = new Set(
  (
    'address article aside blockquote details dialog div dl fieldset figcaption figure footer form h1 h2 h3 h4 h5 h6 ' +
    'header hgroup hr main menu nav ol p pre search section table ul li dd dt summary'
  ).split(' '),
);
/** Elements inside which the parser forgets what is open outside of them. */
const scopes = new Set('table td th caption object template foreignObject'.split(' '));
/** Browsers stop nesting at 512 elements. */
const DEEPEST = 500;
const heading = /^h[1-6]$/;

/** The parent that the parser insists on: it would move the element or add what is missing. */
const requiredParent: Record<string, string[]> = {
  tr: ['tbody', 'thead', 'tfoot'],
  td: ['tr'],
  th: ['tr'],
  tbody: ['table'],
  thead: ['table'],
  tfoot: ['table'],
  caption: ['table'],
  colgroup: ['table'],
  col: ['colgroup'],
};
/** The only children that the parser leaves in place. */
const allowedChildren: Record<string, string[]> = {
  table: ['caption', 'colgroup', 'thead', 'tbody', 'tfoot'],
  thead: ['tr'],
  tbody: ['tr'],
  tfoot: ['tr'],
  tr: ['td', 'th'],
};

/**
 * Looks for elements that a browser's HTML parser would move or close early, so that React finds another tree than the
 * one it rendered and throws the markup away. React itself says so only in the browser, in development.
 *
 * @param html markup as React writes it: every element closed, `<` and `>` escaped in text and attributes.
 * @returns what is wrong with the first such element, or null.
 */
export function findBadNesting(html: string): string | null {
  const open: string[] = [];
  const markup = takeOutScripts(html)?.rest ?? '';
  for (const [, slash, tag = '', selfClosed] of markup.matchAll(/<(\/?)([a-zA-Z][\w:-]*)[^>]*?(\/?)>/g)) {
    if (slash) {
      if (open.at(-1) === tag) open.pop();
      continue;
    }
    const wrong = ancestorAtOdds(tag, open);
    if (wrong) return `<${tag}> cannot stand inside <${wrong}>`;
    if (!voids.has(tag) && !selfClosed) open.push(tag);
    if (open.length > DEEPEST) return `<${tag}> stands inside ${DEEPEST} others`;
  }
  return null;
}

function ancestorAtOdds(tag: string, open: readonly string[]): string | null {
  const parent = open.at(-1);
  if (parent === undefined) return null;
  if (requiredParent[tag] && !requiredParent[tag].includes(parent)) return parent;
  if (allowedChildren[parent] && !allowedChildren[parent].includes(tag)) return parent;
  if (heading.test(tag) && heading.test(parent)) return parent;
  if (tag === 'form' && open.includes('form')) return 'form';
  if (tag === 'li') return nearest(open, ['li', 'ul', 'ol', 'menu']) === 'li' ? 'li' : paragraphAbove(open);
  if (tag === 'a' || tag === 'button') {
    return nearest(open, [tag, ...scopes]) === tag ? tag : null;
  }
  return endsParagraph.has(tag) ? paragraphAbove(open) : null;
}

function paragraphAbove(open: readonly string[]): string | null {
  return nearest(open, ['p', 'button', ...scopes]) === 'p' ? 'p' : null;
}

function nearest(open: readonly string[], tags: string[]): string | undefined {
  return open.findLast((tag) => tags.includes(tag));
}
