/** Longer words are truncated. */
const LONGEST_WORD = 40;
/** Numbers match with or without adjacent symbols: `$59.99` is `59` and `99`. */
const BETWEEN_WORDS = /[\s\p{Z}\p{P}\p{S}]+/u;
const BETWEEN_COMPOUNDS = /[^-\u2010\p{L}\p{M}\p{N}]+/u;
const HYPHENS = /[-\u2010]+/g;

/** The words of a text or a query, as input for `wordOf`. Some are empty. */
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
export function wordOf(word: string): string {
  return withoutAccents(word).toLowerCase().slice(0, LONGEST_WORD);
}

/** Normalizes a text for matching without shifting any character's position. */
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
