/** What is not among what is known, in order. */
export function without(all: readonly string[], known: readonly string[]): string[] {
  const out = new Set(known);
  return all.filter((text) => !out.has(text)).sort();
}
