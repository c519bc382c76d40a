import * as v from 'valibot';
import { plainLine, RenderedPageSchema, RESERVED_IDS, type RenderedPage } from '@site/contract';
import {
  allowedAttributes,
  isCommonAttribute,
  isDescription,
  isRelation,
  textOnly,
  valueProblem,
  type PagePart,
} from './allowed-markup.ts';
import { extractSections } from './page-sections.ts';
import { isElement, parseMarkup, visible, type Element, type Node } from './parse-markup.ts';

const LONGEST_DESCRIPTION = 1_000;
const MOST_CANDIDATES = 1_000;

/**
 * Validates the shell's output: its shape, that browsers parse it as written, and that it contains only allowed
 * markup. @returns the problem as a message, or the page with its searchable sections.
 */
export function checkPage(value: unknown): { problem: string } | { page: RenderedPage } {
  const given = v.safeParse(RenderedPageSchema, value);
  if (!given.success) {
    return { problem: "did not return { head, html }: the shell's render function is at fault" };
  }
  // Search sections are derived from the markup here, so untrusted code cannot supply them.
  const { head, html } = given.output;
  const markup = parseMarkup(head, html);
  if ('problem' in markup) return markup;
  const seen: Seen = { ids: new Set(), titles: 0, candidates: 0 };
  const problem = problemIn(markup.head, 'head', seen) ?? problemIn(markup.body, 'body', seen);
  return problem === null ? { page: { head, html, sections: extractSections(markup.body) } } : { problem };
}

interface Seen {
  ids: Set<string>;
  titles: number;
  /** Of all `srcset` attributes. */
  candidates: number;
}

function problemIn(nodes: readonly Node[], part: PagePart, seen: Seen): string | null {
  for (const node of nodes) {
    const problem = isElement(node) ? findProblem(node, part, seen) : null;
    if (problem !== null) return problem;
  }
  return null;
}

function findProblem(element: Element, within: PagePart, seen: Seen): string | null {
  const { tagName, childNodes } = element;
  const part = tagName === 'svg' && within === 'body' ? 'drawing' : within;
  const allowed = allowedAttributes(part, tagName);
  if (!allowed) return `has a <${short(tagName)}> in its ${part}, which is not among the elements of a page`;
  const attributes = new Map<string, string>();
  for (const { prefix, name, value } of element.attrs)
    attributes.set(prefix ? `${prefix}:${name}` : name, value);
  for (const [name, value] of attributes) {
    const problem =
      candidateProblem(name, value, seen) ?? attributeProblem({ part, tagName, name, value }, allowed);
    if (problem !== null) return problem;
  }
  return (
    idProblem(attributes.get('id'), seen) ??
    documentProblem(element, part, attributes, seen) ??
    (textOnly.has(tagName) && childNodes.some(isElement)
      ? `has an element inside <${tagName}>, which holds text only`
      : problemIn(childNodes, part, seen))
  );
}

function candidateProblem(name: string, value: string, seen: Seen): string | null {
  if (name !== 'srcset' && name !== 'imagesrcset') return null;
  seen.candidates += value.split(',').length;
  if (seen.candidates <= MOST_CANDIDATES) return null;
  return `has ${seen.candidates} image candidates in "srcset"; a page has at most ${MOST_CANDIDATES}`;
}

function attributeProblem(
  { part, tagName, name, value }: { part: PagePart; tagName: string; name: string; value: string },
  allowed: ReadonlySet<string>,
): string | null {
  if (name === 'style')
    return 'has an inline style attribute, which the CSP blocks: move it into a stylesheet';
  if (!allowed.has(name) && !isCommonAttribute(name)) {
    return `has the attribute ${short(name)} on <${tagName}>, which is not among the attributes of a page`;
  }
  const problem = allowed.has(name) ? valueProblem(part, tagName, name, value) : null;
  return problem === null ? null : `has <${tagName} ${name}="${short(value)}">, which ${problem}`;
}

/**
 * Global names that the site's scripts look up on `window` before defining them. An element with such an id would
 * shadow them (https://html.spec.whatwg.org/multipage/nav-history-apis.html#named-access-on-the-window-object).
 */
const nameInWindow = /^(?:(?:web|rs)packChunk|__)/;

/** The document's scripts and the shell find their elements by id. */
function idProblem(id: string | undefined, { ids }: Seen): string | null {
  if (id === undefined) return null;
  if (RESERVED_IDS.has(id)) return `has an element with the id "${id}", which is the document's own`;
  if (nameInWindow.test(id))
    return (
      `has an element with the id "${short(id)}": ids that begin with "webpackChunk", ` +
      '"rspackChunk" or "__" belong to the ' +
      "site's scripts"
    );
  if (ids.has(id)) return `has two elements with the id "${short(id)}"`;
  ids.add(id);
  return null;
}

function documentProblem(
  element: Element,
  part: PagePart,
  attributes: ReadonlyMap<string, string>,
  seen: Seen,
): string | null {
  const { tagName } = element;
  if (tagName === 'script') return scriptProblem(element, attributes);
  if (part !== 'head') return null;
  if (tagName === 'meta') {
    if (isDescription(attributes))
      return lineProblem(`<meta ${metaName(attributes)}>`, attributes.get('content'));
    return `has a <meta> that does not describe the page (${short(describe(attributes))})`;
  }
  if (tagName === 'link' && !isRelation(attributes)) {
    return (
      `has a <link> that loads something or connects to something (${short(describe(attributes))}): only ` +
      "canonical and the like, and preloads of this site's images, are allowed"
    );
  }
  if (tagName !== 'title') return null;
  seen.titles += 1;
  return seen.titles > 1 ? 'has two titles' : lineProblem('<title>', elementText(element));
}

function scriptProblem(element: Element, attributes: ReadonlyMap<string, string>): string | null {
  if (attributes.get('type') !== 'application/ld+json') {
    return (
      `has a script (${short(describe(attributes)) || 'without attributes'}), which the CSP blocks: only ` +
      'JSON-LD data blocks are allowed'
    );
  }
  try {
    JSON.parse(elementText(element));
    return null;
  } catch {
    return 'has a JSON-LD data block that is not valid JSON';
  }
}

/** These texts also appear in other documents: page lists, link previews. */
function lineProblem(what: string, text: string = ''): string | null {
  if (text.length > LONGEST_DESCRIPTION) {
    return `has a ${what} of ${text.length} characters; it has at most ${LONGEST_DESCRIPTION}`;
  }
  return plainLine.test(text)
    ? null
    : `has a ${what} with a line break, a control character or one that changes the direction of writing: ` +
        short(text);
}

function elementText({ childNodes }: Element): string {
  return childNodes.map((node) => ('value' in node ? node.value : '')).join('');
}

function metaName(attributes: ReadonlyMap<string, string>): string {
  return short(attributes.get('name') ?? attributes.get('property') ?? '');
}

function describe(attributes: ReadonlyMap<string, string>): string {
  return [...attributes].map(([name, value]) => `${name}="${value}"`).join(' ');
}

function short(text: string): string {
  return visible(text.slice(0, 120));
}
