/** A line of a fault is cut off here. */
export const FAULT_TEXT_LENGTH = 200;

/**
 * What of an error's message may be told: its first line, without queries of addresses, e-mail addresses and long numbers, for these may
 * be what a visitor typed. The browser does it first and the edge again, for anything may be sent to it.
 */
export function faultMessage(text: string): string {
  return text
    .replace(/[\n\r][^]*/, '')
    .slice(0, FAULT_TEXT_LENGTH)
    .replace(/\?\S*/g, '?')
    .replace(/[^\s@]{0,64}@\S*/g, '@')
    .replace(/\d{5,}/g, '#');
}
