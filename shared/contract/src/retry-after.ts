import { wholeNumberOf } from './whole-number.ts';

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a `Retry-After` header (seconds or a date) to milliseconds; null if invalid.
 * @param now milliseconds since 1970.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const seconds = wholeNumberOf(text, 0, Infinity);
  if (seconds !== null) return seconds * 1_000;
  const until = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, until - now);
}
