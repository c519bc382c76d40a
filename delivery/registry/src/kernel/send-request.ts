import { proxyHint } from '@site/contract/env-proxy';
import { retryAfterMs } from '@site/contract/http';
import { visibleLine } from '@site/contract/text';

const WITHIN_MS = 5_000;

export interface OutgoingRequest {
  url: string;
  method?: string;
  headers: Record<string, string>;
  body?: string;
}

/** Why a request had no effect, without the address, which may be secret. */
export interface Undelivered {
  problem: string;
  /** `Retry-After` in milliseconds; unvalidated. */
  waitMs: number;
}

/** To a webhook or a CDN. @returns why it was not accepted, or null. @throws the reason of `signal` when aborted. */
export async function sendRequest(
  { url, method = 'POST', headers, body }: OutgoingRequest,
  now: Date,
  signal: AbortSignal,
): Promise<Undelivered | null> {
  const timeout = AbortSignal.timeout(WITHIN_MS);
  try {
    const response = await fetch(url, {
      method,
      ...(body === undefined ? {} : { body }),
      headers: { 'user-agent': 'site-registry', ...headers },
      redirect: 'manual',
      signal: AbortSignal.any([timeout, signal]),
    });
    if (response.ok) {
      await response.body?.cancel();
      return null;
    }
    const isElsewhere = response.status >= 300 && response.status < 400;
    const reason = isElsewhere ? 'redirects are not followed' : await readReason(response, url);
    return {
      problem: `It answered ${response.status}${reason === '' ? '' : `: ${reason}`}.`,
      waitMs: retryAfterMs(response.headers.get('retry-after'), now.getTime()) ?? 0,
    };
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return { problem: `It did not answer within ${WITHIN_MS / 1000} s.`, waitMs: 0 };
    const { cause } = error as { cause?: { code?: string } };
    return {
      problem: `It could not be reached${cause?.code ? ` (${cause.code})` : ''}.${proxyHint(process.env, error)}`,
      waitMs: 0,
    };
  }
}

const LONGEST_REASON = 200;
/** Parts of an address that are long enough to be a secret. */
const SECRET_PART = /[^/?&=]{8,}/g;

/** The beginning of an error response: text or JSON in one line, without parts of the address. */
async function readReason({ body }: Response, url: string): Promise<string> {
  let text = '';
  try {
    const decoder = new TextDecoder();
    for await (const chunk of body ?? []) {
      text += decoder.decode(chunk, { stream: true });
      if (text.length > 10 * LONGEST_REASON) break;
    }
  } catch {
    // The status is known; the rest did not arrive in time.
  }
  if (/^\s*</.test(text)) return '';
  const { pathname, search } = new URL(url);
  for (const part of decodeURIComponent(pathname + search).match(SECRET_PART) ?? [])
    text = text.replaceAll(part, '…');
  return visibleLine(text).trim().slice(0, LONGEST_REASON).replace(/\.$/, '');
}
