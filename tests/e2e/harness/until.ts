/** How long something may take on a slow and busy machine. It is not a measure: only what never comes waits for its end. */
export const PATIENCE_MS = 120_000;

/** Tries until `check` no longer throws, for as long as a slow machine may need; then with its last error. */
export async function until<T>(check: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + PATIENCE_MS;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
