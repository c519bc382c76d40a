/** The entries of `all` that are not in `known`, sorted. */
export function without(all: readonly string[], known: readonly string[]): string[] {
  const out = new Set(known);
  return all.filter((text) => !out.has(text)).sort();
}
