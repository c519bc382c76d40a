import { viewCalls } from '@site/contract/registry-calls/view.calls';

/** How fresh the view is: told of each change, asking every few seconds, or out of touch since a time (milliseconds). */
export type Freshness = { mode: 'told' } | { mode: 'asking' } | { mode: 'lost'; since: number };

export interface Following {
  get(): Freshness;
  subscribe(listener: () => void): () => void;
  /** Follows a channel: from now on what is shown is read again when something changed. Returned function stops. */
  start(channel: string): () => void;
  /** What became of an attempt to read. */
  noteResult(answered: boolean): void;
}

/** While nobody tells. */
const ASK_EVERY_MS = 5_000;

/** The registry says that it is alive every ten seconds. */
const SILENCE_MS = 25_000;

/** After so long without a word or an answer the view may be old, whether or not an attempt has failed. */
const OLD_MS = SILENCE_MS + ASK_EVERY_MS;

/** Several changes that come together are one look. */
const SETTLE_MS = 50;

/** @param refresh reads again what is shown. */
export function createFollowing(refresh: () => Promise<unknown>): Following {
  let freshness: Freshness = { mode: 'asking' };
  let stream: EventSource | null = null;
  let heardAt = 0;
  let openedAt = 0;
  /** When what is shown was last known to be so; 0 before. */
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
        // Whether that was the end of the session or of the registry, the next look says.
        stream.onerror = look;
      };
      const close = () => {
        stream?.close();
        stream = null;
      };
      // A browser has six connections to one server, for all its tabs: one that nobody sees keeps none.
      const onVisibility = () => {
        close();
        if (document.hidden) return;
        // Nobody has asked meanwhile: a night may have gone by.
        if (knownAt > 0 && Date.now() - knownAt >= SILENCE_MS) lose();
        open();
        look();
      };
      const asking = setInterval(() => {
        if (document.hidden) return;
        // A read that failed is repeated, though the stream is there.
        if (isTold() && freshness.mode === 'told') return;
        if (!isTold() && knownAt > 0 && Date.now() - knownAt >= OLD_MS) lose();
        // A stream that was refused is over; one that broke comes back by itself. After sleep the browser may still take one for open
        // whose other end is long gone.
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
