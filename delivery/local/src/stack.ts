import { setTimeout as sleep } from 'node:timers/promises';

export interface Stack {
  use<T extends { close(): Promise<void> }>(resource: T): T;
  close(): Promise<void>;
  /** After a failed start. Ends within 5 s and never rejects, so that the caller can report the failure. */
  abandon(): Promise<void>;
}

const ABANDON_MS = 5_000;

/** A later failure, or the end, closes what a start has opened so far. */
export function createStack({ abandonMs = ABANDON_MS } = {}): Stack {
  const opened: { close(): Promise<void> }[] = [];
  const stack: Stack = {
    use(resource) {
      opened.push(resource);
      return resource;
    },
    async close() {
      for (let resource = opened.pop(); resource; resource = opened.pop()) await resource.close();
    },
    async abandon() {
      const over = new AbortController();
      // This timer keeps the process alive: Node would exit with code 13 and no message if nothing else did.
      const patience = sleep(abandonMs, undefined, { signal: over.signal });
      await Promise.race([stack.close(), patience]).catch(() => undefined);
      over.abort();
      await patience.catch(() => undefined);
    },
  };
  return stack;
}
