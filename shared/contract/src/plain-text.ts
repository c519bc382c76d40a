/**
 * A text on one line, for search and for readers that are not browsers. Format characters such as soft hyphens and zero-width
 * spaces are within words, so they are removed; white space and control characters separate words.
 */
export function plainText(text: string): string {
  return text
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
}
