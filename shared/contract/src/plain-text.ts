/**
 * Normalizes a text to one line, for search and non-browser clients. Removes format characters such as soft
 * hyphens and zero-width spaces, because they occur within words; white space and control characters separate
 * words.
 */
export function plainText(text: string): string {
  return text
    .replace(/\p{Cf}+/gu, '')
    .replace(/[\s\p{C}]+/gu, ' ')
    .trim();
}
