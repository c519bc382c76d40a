import { inPlace } from './words.ts';

const LENGTH = 160;
/** Words before the match. */
const BEFORE = 50;

/**
 * An excerpt of a text around the first matching term; its beginning without a match.
 *
 * @param terms in lower case, as in the index.
 */
export function excerptOf(whole: string, terms: readonly string[]): string {
  // Composes letters with their accents where possible.
  const text = whole.normalize('NFC');
  const found = new RegExp(`(?<![\\p{L}\\p{N}])(?:${terms.map(escaped).join('|')})`, 'u');
  const first = inPlace(text).search(found);
  const from = first < BEFORE ? 0 : wordAfter(text, first - BEFORE, first);
  if (text.length - from <= LENGTH) return `${from > 0 ? '… ' : ''}${text.slice(from)}`;
  const end = text.lastIndexOf(' ', from + LENGTH);
  return `${from > 0 ? '… ' : ''}${text.slice(from, end > from ? end : from + LENGTH)} …`;
}

/** The start of the first whole word after `at`, at most `last`. */
function wordAfter(text: string, at: number, last: number): number {
  const space = text.indexOf(' ', at);
  return space < 0 || space >= last ? last : space + 1;
}

function escaped(term: string): string {
  return term.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}
