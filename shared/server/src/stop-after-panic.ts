import type { PGlite } from '@electric-sql/pglite';

type Exchange = 'execProtocol' | 'execProtocolStream';

/**
 * An embedded database panics if it cannot write its log, as on a full disk. Any later query would loop
 * forever and block the thread, so queries are rejected with the panic's error.
 * @returns that error, or null.
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
