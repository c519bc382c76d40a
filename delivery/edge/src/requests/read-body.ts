import type { EdgeRequest } from '../server/listen.ts';
import type { SentBody } from '../signals/count-signals.ts';

export interface BodyLimits {
  maxBytes: number;
  /** Further bodies are discarded. */
  maxConcurrent: number;
  /** Per caller, so that slow uploads of one client leave room for others. */
  maxPerCaller: number;
  withinMs: number;
}

/**
 * At most `maxBytes` × `maxConcurrent` are in memory. @returns null for a body that is too large, slow, or aborted.
 * Never rejects. `caller` is the client's key for rate limits.
 */
export function createBodyReader({
  maxBytes,
  maxConcurrent,
  maxPerCaller,
  withinMs,
}: BodyLimits): (request: EdgeRequest, caller: string) => Promise<SentBody> {
  let underWay = 0;
  const perCaller = new Map<string, number>();

  function count(caller: string, by: 1 | -1): void {
    underWay += by;
    const own = (perCaller.get(caller) ?? 0) + by;
    if (own === 0) perCaller.delete(caller);
    else perCaller.set(caller, own);
  }

  return (request, caller) => {
    if ((perCaller.get(caller) ?? 0) >= maxPerCaller) return Promise.resolve('network');
    if (underWay >= maxConcurrent) return Promise.resolve('full');
    if (Number(request.headers['content-length'] ?? 0) > maxBytes) return Promise.resolve(null);
    count(caller, 1);
    return new Promise((resolve) => {
      const chunks: Buffer[] = [];
      let size = 0;
      const timer = setTimeout(() => done(null), withinMs);
      const events = {
        data(chunk: Buffer) {
          size += chunk.length;
          if (size > maxBytes) done(null);
          else chunks.push(chunk);
        },
        end: () => done(Buffer.concat(chunks)),
        close: () => done(null),
        error: () => done(null),
      };
      function done(body: Buffer | null): void {
        clearTimeout(timer);
        for (const [name, listener] of Object.entries(events)) request.off(name, listener);
        // Ignores later errors.
        request.on('error', () => undefined);
        count(caller, -1);
        resolve(body);
      }
      for (const [name, listener] of Object.entries(events)) request.on(name, listener);
    });
  };
}
