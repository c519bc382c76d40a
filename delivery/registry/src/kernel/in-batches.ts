/**
 * Batches calls of `run`: one call at a time, and items that arrive in the meantime share the next call. A failure
 * rejects only its own items.
 */
export function inBatches<Item>(
  run: (items: readonly Item[]) => Promise<void>,
): (item: Item) => Promise<void> {
  let waiting: Item[] = [];
  let next: Promise<void> | null = null;
  let last: Promise<unknown> = Promise.resolve();

  async function runNext(): Promise<void> {
    await last;
    const items = waiting;
    waiting = [];
    next = null;
    await run(items);
  }

  return (item) => {
    waiting.push(item);
    if (next === null) {
      next = runNext();
      last = next.catch(() => undefined);
    }
    return next;
  };
}
