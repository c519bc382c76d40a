/** The 97.5 % quantile of the standard normal distribution. */
const Z = 1.959964;

/** A rate with its 95 % Wilson score interval (E. B. Wilson, 1927), which also holds for few views and rare faults. */
export function rateOf(faults: number, views: number): { rate: number; low: number; high: number } {
  const rate = faults / views;
  const spread = Z ** 2 / views;
  const middle = (rate + spread / 2) / (1 + spread);
  const half = Math.sqrt(rate * (1 - rate) * spread + spread ** 2 / 4) / (1 + spread);
  return { rate, low: Math.max(0, middle - half), high: Math.min(1, middle + half) };
}
