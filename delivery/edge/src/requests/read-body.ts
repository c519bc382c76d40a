import type { EdgeRequest } from '../server/listen.ts';
import type { SentBody } from '../signals/count-signals.ts';

export interface BodyLimits {
  maxBytes: number;
  /** How many bodies are read at a time: more are thrown away. */
  maxUnderWay: number;
  /** And of one caller: whoever sends many slowly leaves room for the others. */
  maxOfCaller: number;
  withinMs: number;
}

/**
 * Reads what browsers tell. At most `maxBytes` × `maxUnderWay` are in memory.
 *
 * @returns reads one body; null when it is too large, too slow, or its sender went away. Never rejects. Its `caller` is whom limits
 * count as one.
 */
export function createBodyReader({
  maxBytes,
  maxUnderWay,
  maxOfCaller,
  withinMs,
}: BodyLimits): (request: EdgeRequest, caller: string) => Promise<SentBody> {
  let underWay = 0;
  const ofCallers = new Map<string, number>();

  function count(caller: string, by: 1 | -1): void {
    underWay += by;
    const own = (ofCallers.get(caller) ?? 0) + by;
    if (own === 0) ofCallers.delete(caller);
    else ofCallers.set(caller, own);
  }

  return (request, caller) => {
    if ((ofCallers.get(caller) ?? 0) >= maxOfCaller) return Promise.resolve('network');
    if (underWay >= maxUnderWay) return Promise.resolve('full');
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
        // What breaks later is nobody's business.
        request.on('error', () => undefined);
        count(caller, -1);
        resolve(body);
      }
      for (const [name, listener] of Object.entries(events)) request.on(name, listener);
    });
  };
}
