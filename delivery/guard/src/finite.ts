/**
 * The only check for NaN and infinities, applied to all input and output of the guard. NaN would count as enough
 * evidence, since comparisons with it are false, and JSON stores it as null.
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
