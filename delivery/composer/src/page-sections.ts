import * as v from 'valibot';
import { SearchAnchorSchema, searchLimits, type SearchSection } from '@site/contract';
import { plainText } from '@site/contract/text';
import { isElement, type Element, type Node } from './parse-markup.ts';

/** Not page content: controls and their labels, navigation, drawings, data, and code, which makes poor excerpts. */
const leftOut = new Set([
  'pre',
  ...['nav', 'svg', 'script', 'button', 'select', 'textarea', 'datalist', 'dialog', 'progress', 'meter'],
  ...['label', 'legend'],
]);
const inline = new Set([
  'a',
  'abbr',
  'b',
  'bdi',
  'bdo',
  'code',
  'em',
  'i',
  'kbd',
  'mark',
  's',
  'samp',
  'strong',
  'sub',
  'sup',
  'u',
  'var',
  'wbr',
]);
/** Deeper headings start a section only if they have an anchor. */
const headings = new Set(['h1', 'h2', 'h3', 'h4']);

/**
 * The texts of the page's `<main>`, split at headings. The input is the validated tree, so no markup can leak into
 * the text. Text and sections beyond `searchLimits` are dropped.
 */
export function extractSections(body: readonly Node[]): SearchSection[] {
  const main = findMain(body);
  if (!main) return [];
  const sections: Written[] = [{ anchor: null, heading: '', text: '' }];
  let pending: string | null = null;

  const walk = (node: Node): void => {
    if (!isElement(node)) {
      if ('value' in node) write(node.value);
      return;
    }
    if (isLeftOut(node)) return;
    const { tagName } = node;
    const id = readAnchor(node);
    if (headings.has(tagName)) {
      const anchor = pending ?? id;
      pending = null;
      if (begins(tagName, anchor)) {
        sections.push({ anchor, heading: plainText(nodeText(node)), text: '' });
        return;
      }
    }
    const opened = pending === null ? id : null;
    pending ??= opened;
    if (!inline.has(tagName)) write(' ');
    for (const [at, child] of node.childNodes.entries()) {
      // Two adjacent links, separated only by CSS.
      if (isLink(child) && isLink(node.childNodes[at - 1])) write(' ');
      walk(child);
    }
    if (!inline.has(tagName)) write(' ');
    if (opened !== null && pending === opened) pending = null;
  };
  const write = (text: string) => {
    const last = sections.at(-1);
    // Twice the limit, because white space is collapsed later.
    if (last && last.text.length < 2 * searchLimits.section) last.text += text;
  };
  for (const child of main.childNodes) walk(child);
  return bounded(sections);
}

interface Written {
  anchor: string | null;
  heading: string;
  text: string;
}

/** The page title does not start a section. */
function begins(tagName: string, anchor: string | null): boolean {
  return tagName === 'h2' || (tagName !== 'h1' && anchor !== null);
}

function bounded(sections: readonly Written[]): SearchSection[] {
  let left: number = searchLimits.page;
  return sections.slice(0, searchLimits.sections).map(({ anchor, heading, text }) => {
    const section = {
      anchor,
      heading: cut(heading, searchLimits.heading),
      text: cut(plainText(text), Math.min(left, searchLimits.section)),
    };
    left -= section.text.length;
    return section;
  });
}

/** Does not split a surrogate pair. */
function cut(text: string, length: number): string {
  return text.slice(0, length).replace(/[\uD800-\uDBFF]$/, '');
}

const isLink = (node: Node | undefined): boolean => node?.nodeName === 'a';

function nodeText(node: Node): string {
  if (!isElement(node)) return 'value' in node ? node.value : '';
  if (isLeftOut(node)) return '';
  const text = node.childNodes.map(nodeText).join('');
  return inline.has(node.tagName) ? text : ` ${text} `;
}

function isLeftOut({ tagName, attrs }: Element): boolean {
  return (
    leftOut.has(tagName) ||
    attrs.some(({ name, value }) => name === 'hidden' || (name === 'aria-hidden' && value === 'true'))
  );
}

function readAnchor({ attrs }: Element): string | null {
  const id = attrs.find(({ name }) => name === 'id')?.value;
  return v.is(SearchAnchorSchema, id) ? id : null;
}

function findMain(nodes: readonly Node[]): Element | null {
  for (const node of nodes) {
    if (!isElement(node)) continue;
    const found = node.tagName === 'main' ? node : findMain(node.childNodes);
    if (found) return found;
  }
  return null;
}
