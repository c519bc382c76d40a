/**
 * The one place that refuses NaN and infinities. Comparisons with NaN are false, so it would count as enough evidence, and JSON keeps it
 * as null. Every number that comes into the guard or leaves it passes here.
 *
 * @throws RangeError
 */
export function finite(value: number, what: string): number {
  if (!Number.isFinite(value)) throw new RangeError(`${what} is ${value}, not a finite number.`);
  return value;
}

export function allFinite<T extends object>(values: T, what: string): T {
  for (const [name, value] of Object.entries(values) as [string, number][]) finite(value, `${what}: ${name}`);
  return values;
}
