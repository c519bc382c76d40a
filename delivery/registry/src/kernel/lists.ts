/** `rows` has one row more than the page. @returns the page, and its last row if more follow. */
export function cutPage<Row>(rows: readonly Row[], limit: number): { page: Row[]; last: Row | null } {
  const page = rows.slice(0, limit);
  return { page, last: rows.length > limit ? (page.at(-1) ?? null) : null };
}

/** Maximum text that one statement reads. Larger than any single row, so it bounds a portion. */
export const PORTION_BYTES = 4 * 1024 * 1024;
const PORTION_ITEMS = 200;

/** Portions to read one at a time, because the whole list may exceed the memory. */
export function* inPortions<T>(items: Iterable<T>, countBytes: (item: T) => number): Generator<T[]> {
  let portion: T[] = [];
  let sum = 0;
  for (const item of items) {
    const bytes = countBytes(item);
    if (portion.length === PORTION_ITEMS || (portion.length > 0 && sum + bytes > PORTION_BYTES)) {
      yield portion;
      portion = [];
      sum = 0;
    }
    portion.push(item);
    sum += bytes;
  }
  if (portion.length > 0) yield portion;
}

export function difference(all: readonly string[], known: readonly string[]): string[] {
  const out = new Set(known);
  return all.filter((text) => !out.has(text)).sort();
}
