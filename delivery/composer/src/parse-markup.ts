import { defaultTreeAdapter, parse, type DefaultTreeAdapterMap, type TreeAdapter } from 'parse5';
import { documentLimits, ROOT_ID } from '@site/contract';
import { empty } from './allowed-markup.ts';

export type Node = DefaultTreeAdapterMap['childNode'];
export type Element = DefaultTreeAdapterMap['element'];

export interface ParsedMarkup {
  head: Node[];
  body: Node[];
}

/** The parser's cost grows with the depth. Browsers stop at 512. */
const DEEPEST = 100;
const MOST_NODES = 20_000;

const LONGEST_TAG = 4_096;
/** The parser compares each attribute of a tag with all others. */
const MOST_ATTRIBUTES = 40;
class Refused extends Error {}

const before = '<!doctype html><html><head>';
const between = `</head><body><div id="${ROOT_ID}">`;
const after = '</div></body></html>';

/**
 * Parses a page as browsers do and accepts it only if the tree matches the source: nothing moved, closed early, added
 * or dropped. So visitors get, and React hydrates, the tree that is checked next. The markup is untrusted, and this
 * code is not sandboxed: size, depth and number of nodes are limited before they cost anything. @returns the problem
 * as a message, or the tree.
 */
export function parseMarkup(head: string, html: string): { problem: string } | ParsedMarkup {
  const size = head.length + html.length;
  if (size > documentLimits.bytes) {
    return { problem: `has ${size} characters of markup; a page has at most ${documentLimits.bytes}` };
  }
  const tag = tagProblem(head) ?? tagProblem(html);
  if (tag !== null) return { problem: tag };
  const source = before + head + between + html + after;
  try {
    const document = parse(source, {
      sourceCodeLocationInfo: true,
      treeAdapter: limitedAdapter(),
      onParseError({ code, startOffset }) {
        throw new Refused(`is not valid HTML (${code}) at ${quote(source, startOffset, before.length)}`);
      },
    });
    const [, root] = document.childNodes;
    const [headElement, body] = childElements(root);
    const [rootElement, ...rest] = childElements(body);
    if (
      !root ||
      !headElement ||
      !rootElement ||
      rest.length > 0 ||
      hasAttributes([root, headElement, body])
    ) {
      throw new Refused('reaches out of its place in the document');
    }
    const atBody = before.length + head.length + between.length;
    expectAsWritten(source, headElement, before.length, before.length + head.length);
    expectAsWritten(source, rootElement, atBody, atBody + html.length);
    return { head: childElements(headElement), body: childElements(rootElement) };
  } catch (error) {
    if (error instanceof Refused) return { problem: error.message };
    throw error;
  }
}

/** React writes "<" and ">" only around tags and escapes them everywhere else, and quotes values with '"'. */
function tagProblem(markup: string): string | null {
  for (let at = 0; ;) {
    const open = markup.indexOf('<', at);
    const close = markup.indexOf('>', at);
    if (open < 0 && close < 0) return null;
    const tag = open < 0 || close < open ? '' : markup.slice(open + 1, Math.min(close, open + LONGEST_TAG));
    if (tag === '' || tag.includes('<') || close - open >= LONGEST_TAG) {
      const from = open < 0 || (close >= 0 && close < open) ? close : open;
      const place = markup.slice(Math.max(0, from - 40), from + 60);
      return (
        `has a tag that does not end or is longer than ${LONGEST_TAG} characters, or a "<" or ">" that is ` +
        `not escaped, at "${visible(place)}"`
      );
    }
    const attributes =
      tag
        .replaceAll(/"[^"]*"/g, '')
        .trimEnd()
        .split(/\s+/).length - 1;
    if (attributes > MOST_ATTRIBUTES && !tag.startsWith('!--')) {
      const place = visible(tag.slice(0, 60));
      return `has an element with ${attributes} attributes, at "${place}"; an element has at most ${MOST_ATTRIBUTES}`;
    }
    at = close + 1;
  }
}

function limitedAdapter(): TreeAdapter<DefaultTreeAdapterMap> {
  let depth = 0;
  let nodes = 0;
  const count = <T>(node: T): T => {
    nodes += 1;
    if (nodes > MOST_NODES) throw new Refused(`has more than ${MOST_NODES} elements, texts and comments`);
    return node;
  };
  return {
    ...defaultTreeAdapter,
    createElement: (...given) => count(defaultTreeAdapter.createElement(...given)),
    createCommentNode: (data) => count(defaultTreeAdapter.createCommentNode(data)),
    createTextNode: (value) => count(defaultTreeAdapter.createTextNode(value)),
    onItemPush({ tagName }) {
      depth += 1;
      if (depth > DEEPEST) throw new Refused(`has a <${tagName}> inside ${DEEPEST} other elements`);
    },
    onItemPop() {
      depth -= 1;
    },
  };
}

/** Each tag, text and comment must begin where the previous one ended. */
function expectAsWritten(source: string, parent: Element, start: number, end: number): void {
  let at = start;
  const expect = (place: { startOffset: number; endOffset: number } | null | undefined) => {
    if (place?.startOffset !== at) throw readDifferently(at);
    at = place.endOffset;
  };
  const readDifferently = (offset: number) =>
    new Refused(
      'would not hydrate, because browsers read its markup differently (they move, close, add or drop an ' +
        `element) at ${quote(source, offset, start)}`,
    );
  const walk = (node: Node) => {
    const place = node.sourceCodeLocation;
    if (!isElement(node)) {
      expect(place);
      // A text that continues after a tag that the parser dropped contains that tag.
      const isText = node.nodeName === '#text';
      const tag = isText ? source.slice(place?.startOffset, place?.endOffset).indexOf('<') : -1;
      if (tag >= 0) throw readDifferently((place?.startOffset ?? start) + tag);
      return;
    }
    const tags = node.sourceCodeLocation;
    expect(tags?.startTag);
    // The parser may drop the first line break of preformatted text.
    if (source[at] === '\n' && node.childNodes[0]?.sourceCodeLocation?.startOffset === at + 1) at += 1;
    for (const child of node.childNodes) walk(child);
    const isClosed = empty.has(node.tagName) || source.startsWith('/>', at - 2);
    if (!isClosed || tags?.endTag) expect(tags?.endTag);
  };
  for (const child of parent.childNodes) walk(child);
  if (at !== end) throw readDifferently(at);
}

function quote(source: string, at: number, start: number): string {
  const text = source.slice(Math.max(start, at - 40), Math.min(source.length - after.length, at + 60));
  return `"${visible(text)}"`;
}

/** Untrusted text on one line, without terminal control sequences. */
export function visible(text: string): string {
  return text.replace(
    /[\p{C}\p{Zl}\p{Zp}]/gu,
    (character) => `\\u{${character.codePointAt(0)?.toString(16)}}`,
  );
}

export function isElement(node: Node): node is Element {
  return 'tagName' in node;
}

function childElements(node: Node | undefined): Element[] {
  return node && isElement(node) ? (node.childNodes as Element[]) : [];
}

function hasAttributes(nodes: readonly (Node | undefined)[]): boolean {
  return nodes.some((node) => !node || !isElement(node) || node.attrs.length > 0);
}
