import type { PGlite } from '@electric-sql/pglite';

/** Both of what sends to the database and reads what it says. */
type Exchange = 'execProtocol' | 'execProtocolStream';

/**
 * An embedded database that could not write its log, as on a full disk, panics. Whatever is asked of it then goes round in circles,
 * and the thread with it: so nothing reaches it any more, and everyone gets the error that it ended with.
 *
 * @returns that error, or null while it lives.
 */
export function stopAfterPanic(pglite: PGlite): () => Error | null {
  let end: Error | null = null;
  for (const name of ['execProtocol', 'execProtocolStream'] satisfies Exchange[]) {
    const exchange = pglite[name].bind(pglite) as (...sent: unknown[]) => Promise<unknown>;
    const guarded = async (...sent: unknown[]) => {
      if (end) throw end;
      try {
        return await exchange(...sent);
      } catch (error) {
        if (/^(PANIC|FATAL)$/.test(String((error as { severity?: unknown }).severity))) end = error as Error;
        throw error;
      }
    };
    Object.assign(pglite, { [name]: guarded });
  }
  return () => end;
}
