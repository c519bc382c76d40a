import { REPORT_TOKEN_MS, SIGNALS_PATH, TOKEN_TIMING } from '@site/contract/signals/report-limits';
import type { Report, Signals, SignalsToken } from '@site/contract/signals/report.schema';

/** A minute before the edge rejects the token, because a report needs time to arrive. */
const GOOD_MS = REPORT_TOKEN_MS - 60_000;

/**
 * Sends reports with a token: the document's, or a new one if that has expired or the document has none because it is
 * cacheable. Without a token nothing is sent. There are no retries, and visitors never wait.
 *
 * @returns the send function. With a valid token it sends synchronously, because the page may be unloading.
 */
export function createSignalPost(document: string): (reports: Report[]) => Promise<void> {
  // The document's: a navigation may be over when the report of its first page is sent.
  const page = location.pathname;
  let token: Promise<string | null> | string | undefined = tokenOfDocument();
  let endsAt = token ? GOOD_MS : 0;

  return async (reports) => {
    // An offline browser would log an error for each request.
    if (!navigator.onLine) return;
    const now = performance.now();
    if (now >= endsAt) {
      endsAt = now + GOOD_MS;
      token = askForToken(page);
    }
    const good = await token;
    if (good)
      navigator.sendBeacon(
        SIGNALS_PATH,
        JSON.stringify({ token: good, document, reports } satisfies Signals),
      );
  };
}

function askForToken(page: string): Promise<string | null> {
  return fetch(`${SIGNALS_PATH}?page=${encodeURIComponent(page)}`)
    .then(async (answer) => ((await answer.json()) as SignalsToken).token)
    .catch(() => null);
}

function tokenOfDocument(): string | undefined {
  const [entry] = performance.getEntriesByType('navigation');
  return entry?.serverTiming.find(({ name }) => name === TOKEN_TIMING)?.description;
}
