/** Runs `work` for each item in sequence, even if one fails. @throws the first error. */
export async function forEachSettled<T>(
  items: readonly T[],
  work: (item: T) => Promise<void>,
): Promise<void> {
  const problems: unknown[] = [];
  for (const item of items) await work(item).catch((error: unknown) => problems.push(error));
  if (problems.length > 0) throw problems[0];
}
