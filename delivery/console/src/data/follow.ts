import { viewCalls } from '@site/contract/registry-calls/view.calls';

export type Freshness = { mode: 'live' } | { mode: 'polling' } | { mode: 'lost'; since: number };

export interface Following {
  get(): Freshness;
  subscribe(listener: () => void): () => void;
  start(channel: string): () => void;
  noteResult(answered: boolean): void;
}

const POLL_EVERY_MS = 5_000;

/** The registry sends a heartbeat every ten seconds. */
const SILENCE_MS = 25_000;

/** Without an event or a response for this long, the view may be stale, even if no attempt failed. */
const OLD_MS = SILENCE_MS + POLL_EVERY_MS;

const SETTLE_MS = 50;

export function createFollowing(refresh: () => Promise<unknown>): Following {
  let freshness: Freshness = { mode: 'polling' };
  let stream: EventSource | null = null;
  let lastEventAt = 0;
  let openedAt = 0;
  /** When the shown data was last known to be current; 0 before. */
  let knownAt = 0;
  const listeners = new Set<() => void>();

  const isStreaming = () =>
    stream !== null && stream.readyState === EventSource.OPEN && Date.now() - lastEventAt < SILENCE_MS;

  function become(next: Freshness): void {
    if (next.mode === freshness.mode) return;
    freshness = next;
    for (const listener of listeners) listener();
  }

  const lose = () => become({ mode: 'lost', since: knownAt || Date.now() });

  return {
    get: () => freshness,
    subscribe(listener) {
      listeners.add(listener);
      return () => {
        listeners.delete(listener);
      };
    },
    noteResult(answered) {
      if (!answered) return lose();
      knownAt = Date.now();
      become({ mode: isStreaming() ? 'live' : 'polling' });
    },
    start(channel) {
      let settling: ReturnType<typeof setTimeout> | undefined;
      const refreshSoon = () => {
        clearTimeout(settling);
        settling = setTimeout(() => void refresh(), SETTLE_MS);
      };
      const noteEvent = () => {
        lastEventAt = Date.now();
        if (freshness.mode === 'live') knownAt = lastEventAt;
      };
      const open = () => {
        stream?.close();
        openedAt = Date.now();
        stream = new EventSource(viewCalls.followMarks.path.replace(':channel', channel));
        stream.addEventListener('marks', () => {
          noteEvent();
          refreshSoon();
        });
        stream.addEventListener('alive', noteEvent);
        // The next read shows whether the session or the registry has ended.
        stream.onerror = refreshSoon;
      };
      const close = () => {
        stream?.close();
        stream = null;
      };
      // Browsers allow six connections per server for all tabs, so hidden tabs close theirs.
      const onVisibility = () => {
        close();
        if (document.hidden) return;
        // No reads while hidden: hours may have passed.
        if (knownAt > 0 && Date.now() - knownAt >= SILENCE_MS) lose();
        open();
        refreshSoon();
      };
      const polling = setInterval(() => {
        if (document.hidden) return;
        // Retry a failed read even while the stream is open.
        if (isStreaming() && freshness.mode === 'live') return;
        if (!isStreaming() && knownAt > 0 && Date.now() - knownAt >= OLD_MS) lose();
        // A rejected stream is closed; a broken one reconnects by itself. After sleep the browser may
        // consider a dead connection open.
        const isSilent = Date.now() - Math.max(lastEventAt, openedAt) >= SILENCE_MS;
        if (isSilent || stream?.readyState === EventSource.CLOSED) open();
        refreshSoon();
      }, POLL_EVERY_MS);
      open();
      addEventListener('online', refreshSoon);
      document.addEventListener('visibilitychange', onVisibility);
      return () => {
        close();
        clearTimeout(settling);
        clearInterval(polling);
        removeEventListener('online', refreshSoon);
        document.removeEventListener('visibilitychange', onVisibility);
      };
    },
  };
}
