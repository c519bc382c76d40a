/** How many standard deviations 95 % of a normal distribution lie within. */
const Z = 1.959964;

/** A rate, and between which bounds it lies with 95 % certainty (E. B. Wilson, 1927: right for few views and rare faults, too). */
export function rateOf(faults: number, views: number): { rate: number; low: number; high: number } {
  const rate = faults / views;
  const spread = Z ** 2 / views;
  const middle = (rate + spread / 2) / (1 + spread);
  const half = Math.sqrt(rate * (1 - rate) * spread + spread ** 2 / 4) / (1 + spread);
  return { rate, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
