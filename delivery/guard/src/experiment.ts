/**
 * Compares the variants of a page by how many loads reached an outcome. Valid however often and whenever it is read.
 *
 * A load draws each variant with equal probability. If one of two variants turns loads into outcomes at the rate a, and
 * the other at b, then an outcome is of the first with probability θ = a / (a + b), and θ = ½ if both are equally good.
 * So the outcomes are a sequence of coin flips with an unknown bias, even if the rates change with the time of day. The
 * mixture of their likelihoods over a Beta distribution, divided by the likelihood of θ, is a martingale if θ is the
 * bias: it exceeds x with a probability of at most 1 / x, ever (Ville's inequality). The values of θ for which it is
 * below x are a confidence sequence.
 *
 * Herbert Robbins: Statistical methods related to the law of the iterated logarithm. Annals of Mathematical Statistics
 * 41 (1970). For conversions: Michael Lindon, Alan Malek: Anytime-valid inference for multinomial count data. NeurIPS
 * 2022.
 */

export interface Arm {
  views: number;
  reached: number;
}

export interface Lead {
  lift: number;
  interval(): { low: number; high: number };
  chance: number;
}

export type Standing<Name> =
  | { is: 'open' | 'won'; leader: Name; lead: Lead }
  | { is: 'even' }
  /** The views are not split as drawn, so some are missing and the outcomes cannot be compared. */
  | { is: 'uneven' };

/** The probability of naming a winner that is not better. */
export const WRONG_WINNER = 0.01;
const WRONG_SPLIT = 0.001;
/** The parameter of the Beta mixture. This one needs the fewest views for a difference of 20 %. */
const MIXTURE = 60;

export function compareArms<Name>(arms: ReadonlyMap<Name, Arm>): Standing<Name> {
  const [first, second, ...others] = [...arms].sort(([, one], [, other]) => other.reached - one.reached);
  if (!first || !second) return { is: 'even' };
  const count = others.length + 2;
  const pairs = (count * (count - 1)) / 2;
  const views = [...arms.values()].map((arm) => arm.views).sort((one, other) => other - one);
  if (pairs * evidenceBound(views[0] ?? 0, views.at(-1) ?? 0) <= WRONG_SPLIT) return { is: 'uneven' };
  const [leader, { reached }] = first;
  const behind = second[1].reached;
  if (reached === behind) return { is: 'even' };
  const chance = Math.min(1, pairs * evidenceBound(reached, behind));
  const lead = {
    lift: reached / behind - 1,
    interval: () => liftInterval(reached, behind, Math.log(pairs / WRONG_WINNER)),
    chance,
  };
  return { is: chance <= WRONG_WINNER ? 'won' : 'open', leader, lead };
}

const toLift = (bias: number) => (bias >= 1 ? Infinity : bias / (1 - bias) - 1);

function evidenceBound(one: number, other: number): number {
  return Math.min(1, Math.exp(-logEvidence(one, other, 0.5)));
}

function logEvidence(one: number, other: number, bias: number): number {
  const mixture = logBeta(MIXTURE + one, MIXTURE + other) - logBeta(MIXTURE, MIXTURE);
  return mixture - timesLog(one, bias) - timesLog(other, 1 - bias);
}

const timesLog = (count: number, of: number) => (count === 0 ? 0 : count * Math.log(of));

/** The biases whose evidence is below `most`. It has its minimum at the observed bias, and rises on both sides. */
function liftInterval(one: number, other: number, most: number): { low: number; high: number } {
  const observed = one / (one + other);
  const edge = (end: number) => {
    let [inside, outside] = [observed, end];
    for (let step = 0; step < 50; step += 1) {
      const middle = (inside + outside) / 2;
      if (logEvidence(one, other, middle) < most) inside = middle;
      else outside = middle;
    }
    return inside;
  };
  return { low: toLift(edge(0)), high: toLift(edge(1)) };
}

function logBeta(one: number, other: number): number {
  return logGamma(one) + logGamma(other) - logGamma(one + other);
}

/** Stirling's series. Its error is below 1e-12 for the arguments here, which are at least `MIXTURE`. */
function logGamma(x: number): number {
  const series = 1 / (12 * x) - 1 / (360 * x ** 3) + 1 / (1260 * x ** 5);
  return (x - 0.5) * Math.log(x) - x + Math.log(2 * Math.PI) / 2 + series;
}
