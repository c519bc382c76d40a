/** The figure that this part of the figures is below: 0.99 of them, say. NaN without any. */
export function quantile(values: readonly number[], part: number): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length * part)] ?? Number.NaN;
}

/** The middle of some figures. NaN without any. */
export const median = (values: readonly number[]): number => quantile(values, 0.5);
