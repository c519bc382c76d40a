/** After that an alert has not arrived, as far as can be told. */
const WITHIN_MS = 5_000;

/** What goes to a receiver. */
export interface AlertPost {
  url: string;
  body: string;
  headers: Record<string, string>;
}

/**
 * Sends an alert. Of the answer only its status is looked at; where it leads to, nobody follows.
 *
 * @returns why it was not delivered, or null. The receiver's own words are not in it, nor its address, which may be secret.
 * @throws the reason of `signal` when that is aborted.
 */
export async function postAlert(
  { url, body, headers }: AlertPost,
  signal: AbortSignal,
): Promise<string | null> {
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
    return `It answered ${response.status}${isElsewhere ? ': redirects are not followed' : ''}.`;
  } catch (error) {
    signal.throwIfAborted();
    if (timeout.aborted) return `It did not answer within ${WITHIN_MS / 1000} s.`;
    const { cause } = error as { cause?: { code?: string } };
    return `It could not be reached${cause?.code ? ` (${cause.code})` : ''}.`;
  }
}
