/** Longer words are truncated. */
const LONGEST_WORD = 40;
/** Numbers match with or without adjacent symbols: `$59.99` is `59` and `99`. */
const BETWEEN_WORDS = /[\s\p{Z}\p{P}\p{S}]+/u;
const BETWEEN_COMPOUNDS = /[^-\u2010\p{L}\p{M}\p{N}]+/u;
const HYPHENS = /[-\u2010]+/g;

export function wordsIn(text: string): string[] {
  return text.normalize('NFKD').split(BETWEEN_WORDS);
}

/** Hyphenated words without the hyphen: `sign-up` is also indexed as `signup`. */
export function joinedIn(text: string): string[] {
  return text
    .normalize('NFKD')
    .split(BETWEEN_COMPOUNDS)
    .flatMap((word) => {
      const joined = word.replace(HYPHENS, '');
      return joined === word ? [] : [joined];
    });
}

/** Folds accents and case, so that any keyboard can type it. */
export function normalizeWord(word: string): string {
  return withoutAccents(word).toLowerCase().slice(0, LONGEST_WORD);
}

/** Does not shift any character's position. */
export function inPlace(text: string): string {
  return text
    .replace(/[^ -~]/gu, (character) => {
      const plain = withoutAccents(character);
      return plain.length === character.length ? plain : character;
    })
    .toLowerCase();
}

function withoutAccents(text: string): string {
  return text.normalize('NFKD').replace(/\p{M}/gu, '');
}

const LENGTH = 160;
/** Words before the match. */
const BEFORE = 50;

/** Around the first matching term; the beginning without a match. @param terms in lower case, as in the index. */
export function excerptAround(whole: string, terms: readonly string[]): string {
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
