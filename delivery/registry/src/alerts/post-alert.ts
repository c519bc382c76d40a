import { retryAfterMs } from '@site/contract/http';

/** Timeout of one delivery. */
const WITHIN_MS = 5_000;

/** The request to a receiver. */
export interface AlertPost {
  url: string;
  body: string;
  headers: Record<string, string>;
}

/** Why an alert was not delivered. Excludes the response body and the address, which may be secret. */
export interface Undelivered {
  problem: string;
  /** `Retry-After` in milliseconds; unvalidated. */
  waitMs: number;
}

/**
 * Sends an alert. Only status and `Retry-After` of the response are read; redirects are not followed.
 *
 * @returns why it was not delivered, or null.
 * @throws the reason of `signal` when aborted.
 */
export async function postAlert(
  { url, body, headers }: AlertPost,
  at: Date,
  signal: AbortSignal,
): Promise<Undelivered | null> {
  const timeout = AbortSignal.timeout(WITHIN_MS);
  try {
    const response = await fetch(url, {
      method: 'POST',
      body,
      headers: { 'content-type': 'application/json', 'user-agent': 'site-registry', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    });
    await response.body?.cancel();
    if (response.ok) return null;
    const isElsewhere = response.status >= 300 && response.status < 400;
    return {
      problem: `It answered ${response.status}${isElsewhere ? ': redirects are not followed' : ''}.`,
      waitMs: retryAfterMs(response.headers.get('retry-after'), at.getTime()) ?? 0,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { problem: `It did not answer within ${WITHIN_MS / 1000} s.`, waitMs: 0 };
    const { cause } = error as { cause?: { code?: string } };
    return { problem: `It could not be reached${cause?.code ? ` (${cause.code})` : ''}.`, waitMs: 0 };
  }
}
