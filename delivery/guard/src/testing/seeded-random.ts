export interface Random {
  next(): number;
  poisson(mean: number): number;
  binomial(n: number, p: number): number;
}

/** Above this, the normal approximation is good enough. */
const MANY = 200;

export function seededRandom(seed: number): Random {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let t = state;
    t = Math.imul(t ^ (t >>> 15), t | 1);
    t ^= t + Math.imul(t ^ (t >>> 7), t | 61);
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32;
  };
  const normal = () => Math.sqrt(-2 * Math.log(1 - next())) * Math.cos(2 * Math.PI * next());
  return {
    next,
    poisson(mean) {
      if (mean > MANY) return Math.max(0, Math.round(mean + Math.sqrt(mean) * normal()));
      let events = 0;
      // In portions, because e^-mean would underflow to 0.
      for (let left = mean; left > 0; left -= 30) {
        let product = next();
        for (const limit = Math.exp(-Math.min(left, 30)); product > limit; events++) product *= next();
      }
      return events;
    },
    binomial(n, p) {
      if (p <= 0 || n === 0) return 0;
      if (p >= 1) return n;
      const variance = n * p * (1 - p);
      if (variance > MANY)
        return Math.max(0, Math.min(n, Math.round(n * p + Math.sqrt(variance) * normal())));
      let happened = 0;
      // Skips from success to success.
      const scale = 1 / Math.log1p(-p);
      for (let at = -1; ; happened++) {
        at += 1 + Math.floor(Math.log(1 - next()) * scale);
        if (at >= n) break;
      }
      return happened;
    },
  };
}
