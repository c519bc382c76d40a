/** Longer words are found by their beginning. */
const LONGEST_WORD = 40;
/** Figures are found with or without what stands beside them: `$59.99` is `59` and `99`. */
const BETWEEN_WORDS = /[\s\p{Z}\p{P}\p{S}]+/u;
const BETWEEN_COMPOUNDS = /[^-\u2010\p{L}\p{M}\p{N}]+/u;
const HYPHENS = /[-\u2010]+/g;

/** The words of a text or a query, as `wordOf` takes them. There are empty ones among them. */
export function wordsIn(text: string): string[] {
  return text.normalize('NFKD').split(BETWEEN_WORDS);
}

/** The words of a text that have a hyphen, without it: `sign-up` is found as `signup` too. */
export function joinedIn(text: string): string[] {
  return text
    .normalize('NFKD')
    .split(BETWEEN_COMPOUNDS)
    .flatMap((word) => {
      const joined = word.replace(HYPHENS, '');
      return joined === word ? [] : [joined];
    });
}

/** Without accents and cases: what is typed on any keyboard finds it. */
export function wordOf(word: string): string {
  return withoutAccents(word).toLowerCase().slice(0, LONGEST_WORD);
}

/** A text in which words of the index can be looked for: each character of it is in the place where it was. */
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
