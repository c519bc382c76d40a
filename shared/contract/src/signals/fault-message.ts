export const FAULT_TEXT_LENGTH = 200;

/**
 * The safe part of an error's message: its first line without query strings, email addresses and long
 * numbers, which may be visitors' input. Applied by the browser, and again by the edge because reports are
 * untrusted.
 */
export function faultMessage(text: string): string {
  return text
    .replace(/[\n\r][^]*/, '')
    .slice(0, FAULT_TEXT_LENGTH)
    .replace(/\?\S*/g, '?')
    .replace(/[^\s@]{0,64}@\S*/g, '@')
    .replace(/\d{5,}/g, '#');
}
