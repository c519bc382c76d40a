import { inPlace } from './words.ts';

const LENGTH = 160;
/** How many of them come before the match. */
const BEFORE = 50;

/**
 * Some words of a text, around the first of these terms that it has; its beginning when it has none.
 *
 * @param terms in lower case, as they stand in the index.
 */
export function excerptOf(whole: string, terms: readonly string[]): string {
  // Letters and their accents are one character each, where there is one.
  const text = whole.normalize('NFC');
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.map(escaped).join('|')})`, 'u');
  const first = inPlace(text).search(found);
  const from = first < BEFORE ? 0 : wordAfter(text, first - BEFORE, first);
  if (text.length - from <= LENGTH) return `${from > 0 ? '… ' : ''}${text.slice(from)}`;
  const end = text.lastIndexOf(' ', from + LENGTH);
  return `${from > 0 ? '… ' : ''}${text.slice(from, end > from ? end : from + LENGTH)} …`;
}

/** Where the first whole word after `at` begins, at the latest at `last`. */
function wordAfter(text: string, at: number, last: number): number {
  const space = text.indexOf(' ', at);
  return space < 0 || space >= last ? last : space + 1;
}

function escaped(term: string): string {
  return term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
