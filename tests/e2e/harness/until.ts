/** Tries until `check` no longer throws, for as long as a slow machine may need; then with its last error. */
export async function until<T>(check: () => T | Promise<T>): Promise<T> {
  const end = Date.now() + 20_000;
  for (;;) {
    try {
      return await check();
    } catch (error) {
      if (Date.now() > end) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
  }
}
