/** The value below which this share of the figures lies, such as 0.99. NaN for none. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

export const median = (values: readonly number[]): number => quantile(values, 0.5);
