import { REPORT_TOKEN_MS, SIGNALS_PATH, TOKEN_TIMING } from '@site/contract/signals/report-limits';
import type { Report, Signals, SignalsToken } from '@site/contract/signals/report.schema';

/** A minute before an edge refuses the token: a report needs time to get there. */
const GOOD_MS = REPORT_TOKEN_MS - 60_000;

/**
 * Sends reports with a token: that of the document, and when that has ended or the document has none, because a cache may hold it,
 * one that is asked for. Without any nothing is sent. What is lost is lost: no visitor waits for it, nor is anything tried again.
 *
 * @returns sends; where the token is there already before the browser does anything else: the page may be on its way out.
 */
export function createSignalPost(release: string): (reports: Report[]) => Promise<void> {
  let token: Promise<string | null> | string | undefined = tokenOfDocument();
  let endsAt = token ? GOOD_MS : 0;

  return async (reports) => {
    // A browser without network would write an error for each.
    if (!navigator.onLine) return;
    const now = performance.now();
    if (now >= endsAt) {
      endsAt = now + GOOD_MS;
      token = askForToken();
    }
    const good = await token;
    if (good)
      navigator.sendBeacon(SIGNALS_PATH, JSON.stringify({ token: good, release, reports } satisfies Signals));
  };
}

function askForToken(): Promise<string | null> {
  return fetch(SIGNALS_PATH)
    .then(async (answer) => ((await answer.json()) as SignalsToken).token)
    .catch(() => null);
}

function tokenOfDocument(): string | undefined {
  const [entry] = performance.getEntriesByType('navigation');
  return entry?.serverTiming.find(({ name }) => name === TOKEN_TIMING)?.description;
}
