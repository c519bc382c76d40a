import { viewCalls } from '@site/contract/registry-calls/view.calls';

/** How current the view is: event stream, polling, or disconnected since a time (milliseconds). */
export type Freshness = { mode: 'told' } | { mode: 'asking' } | { mode: 'lost'; since: number };

export interface Following {
  get(): Freshness;
  subscribe(listener: () => void): () => void;
  /** Follows a channel and refreshes on changes. Call the returned function to stop. */
  start(channel: string): () => void;
  /** Reports the result of a read. */
  noteResult(answered: boolean): void;
}

/** Polling interval without an event stream. */
const ASK_EVERY_MS = 5_000;

/** The registry sends a heartbeat every ten seconds. */
const SILENCE_MS = 25_000;

/** Without an event or a response for this long, the view may be stale, even if no attempt failed. */
const OLD_MS = SILENCE_MS + ASK_EVERY_MS;

/** Changes within this time cause one refresh. */
const SETTLE_MS = 50;

/** @param refresh reads the shown data again. */
export function createFollowing(refresh: () => Promise<unknown>): Following {
  let freshness: Freshness = { mode: 'asking' };
  let stream: EventSource | null = null;
  let heardAt = 0;
  let openedAt = 0;
  /** When the shown data was last known to be current; 0 before. */
  let knownAt = 0;
  const listeners = new Set<() => void>();

  const isTold = () =>
    stream !== null && stream.readyState === EventSource.OPEN && Date.now() - heardAt < SILENCE_MS;

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
      become({ mode: isTold() ? 'told' : 'asking' });
    },
    start(channel) {
      let settling: ReturnType<typeof setTimeout> | undefined;
      const look = () => {
        clearTimeout(settling);
        settling = setTimeout(() => void refresh(), SETTLE_MS);
      };
      const hear = () => {
        heardAt = Date.now();
        if (freshness.mode === 'told') knownAt = heardAt;
      };
      const open = () => {
        stream?.close();
        openedAt = Date.now();
        stream = new EventSource(viewCalls.followMarks.path.replace(':channel', channel));
        stream.addEventListener('marks', () => {
          hear();
          look();
        });
        stream.addEventListener('alive', hear);
        // The next read shows whether the session or the registry has ended.
        stream.onerror = look;
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
        look();
      };
      const asking = setInterval(() => {
        if (document.hidden) return;
        // Retry a failed read even while the stream is open.
        if (isTold() && freshness.mode === 'told') return;
        if (!isTold() && knownAt > 0 && Date.now() - knownAt >= OLD_MS) lose();
        // A rejected stream is closed; a broken one reconnects by itself. After sleep the browser may
        // consider a dead connection open.
        const isSilent = Date.now() - Math.max(heardAt, openedAt) >= SILENCE_MS;
        if (isSilent || stream?.readyState === EventSource.CLOSED) open();
        look();
      }, ASK_EVERY_MS);
      open();
      addEventListener('online', look);
      document.addEventListener('visibilitychange', onVisibility);
      return () => {
        close();
        clearTimeout(settling);
        clearInterval(asking);
        removeEventListener('online', look);
        document.removeEventListener('visibilitychange', onVisibility);
      };
    },
  };
}
