import { readWholeNumber } from './text.ts';

/**
 * Error statuses shared by servers, proxies, alert rules and clients; "What a status means" in
 * docs/operating.md has the same table. A limit or a missing dependency affects one request, 500 and 503 the
 * whole process.
 */
export const answerStatus = {
  limitReached: 429,
  failed: 500,
  /** The proxy has no responding process. Sent only by proxies. */
  noProcess: 502,
  notReady: 503,
  dependencyDown: 504,
} as const;

/** With these statuses the change may have been made. */
export const outcomeUnknown: readonly number[] = [
  answerStatus.failed,
  answerStatus.noProcess,
  answerStatus.dependencyDown,
];

export const processBroken: readonly number[] = [answerStatus.failed, answerStatus.notReady];

export const IDEMPOTENCY_HEADER = 'idempotency-key';

export const MAX_RETRIES = 10;

export function backoff(retry: number, first: number, longest: number = Infinity): number {
  return Math.min(first * 2 ** (retry - 1), longest);
}

const HTTP_DATE = /^[A-Z][a-z]{2}, \d{2} [A-Z][a-z]{2} \d{4} \d{2}:\d{2}:\d{2} GMT$/;

/**
 * Parses a `Retry-After` header (seconds or a date); null if invalid.
 * @param now milliseconds since 1970.
 * @see https://www.rfc-editor.org/rfc/rfc9110#section-10.2.3
 */
export function retryAfterMs(header: string | null, now: number): number | null {
  const text = header?.trim() ?? '';
  const seconds = readWholeNumber(text, 0, Infinity);
  if (seconds !== null) return seconds * 1_000;
  const until = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(until) ? null : Math.max(0, until - now);
}
