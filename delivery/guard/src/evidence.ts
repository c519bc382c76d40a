/**
 * Evidence that a rate is above (or below) a line through another rate, as an e-value: its expectation is at most 1
 * while the null hypothesis is true. It is valid at any time.
 *
 * Rosanne Turner, Alexander Ly, Peter Grünwald: Generic E-variables for exact sequential k-sample tests that allow for
 * optional stopping. Journal of Statistical Planning and Inference 230 (2024) 106116. With a margin: Turner, Grünwald:
 * Exact anytime-valid confidence intervals for contingency tables and beyond (arXiv 2203.09785).
 *
 * A block has n answers of the judged version, each yes with probability a, and m of the control, each yes with
 * probability b. The null hypothesis: a ≤ times·b + plus. A bet (a*, b*) on the other side of the line, chosen before
 * the block, pays the likelihood ratio of the block's answers under (a*, b*) and (a°, b°). The latter is the point of
 * the line that is nearest to the bet: it minimizes n·KL(a*‖a°) + m·KL(b*‖b°).
 *
 * **Why the expectation is at most 1.** The expected factor of one answer of the judged version is
 * f(a) = a·(a* / a°) + (1−a)·(1−a*) / (1−a°), which is linear in a, and 1 at a°. The control's is g(b) likewise. The
 * expected payment of the block is f(a)^n · g(b)^m ≤ ((n·f(a) + m·g(b)) / (n+m))^(n+m), because a geometric mean is at
 * most the arithmetic mean. Under the null hypothesis, n·f(a) + m·g(b) ≤ n + m: the left side is linear, equals n + m
 * at (a°, b°), and its slope into the null hypothesis is minus that of the distance, which grows there because (a°, b°)
 * is nearest. The proof needs neither integer n and m nor equal rates in two blocks: rates may vary with the time of
 * day, as long as both versions vary together.
 */
import { finite } from './finite.ts';
import type { Line } from './questions.ts';

export interface Count {
  views: number;
  yes: number;
}

export interface Rates {
  judged: number;
  control: number;
}

const logLikelihood = ({ views, yes }: Count, rate: number) =>
  (yes > 0 ? yes * Math.log(rate) : 0) + (views > yes ? (views - yes) * Math.log1p(-rate) : 0);

export const onLine = ({ times, plus }: Line, control: number) => times * control + plus;

/**
 * The natural logarithm of a bet's payment on one block. A control without answers pays nothing, nor does a bet on the
 * line.
 */
export function logPaid(bet: Rates, line: Line, judged: Count, control: Count): number {
  const nearest = nearestOnLine(bet, line, judged.views, control.views);
  return (
    logLikelihood(judged, bet.judged) -
    logLikelihood(judged, nearest.judged) +
    logLikelihood(control, bet.control) -
    logLikelihood(control, nearest.control)
  );
}

/**
 * The payment against a fixed rate (of a record), from the judged version alone. A special case of the proof above
 * without a control. Valid for all rates on the opposite side of `rate` from the bet.
 */
export function logPaidAgainstRate(bet: number, rate: number, judged: Count): number {
  return logLikelihood(judged, bet) - logLikelihood(judged, rate);
}

/**
 * The minimum of n·KL(a*‖a) + m·KL(b*‖b) on the line. The derivative has the sign of a cubic in b with one root between
 * the bet's two ends: Newton's method, with bisection outside of that interval.
 */
export function nearestOnLine(bet: Rates, line: Line, n: number, m: number): Rates {
  const { times, plus } = line;
  const other = (bet.judged - plus) / times;
  let low = Math.max(0, Math.min(bet.control, other));
  let high = Math.max(bet.control, other);
  let b = (m * bet.control + n * times * other) / (m + n * times);
  for (let step = 0; step < MOST_STEPS; step++) {
    if (!(b > low && b < high)) b = (low + high) / 2;
    const a = times * b + plus;
    const slope = n * times * (a - bet.judged) * b * (1 - b) + m * (b - bet.control) * a * (1 - a);
    if (slope > 0) high = b;
    else low = b;
    const curve =
      n * times * (times * b * (1 - b) + (a - bet.judged) * (1 - 2 * b)) +
      m * (a * (1 - a) + (b - bet.control) * times * (1 - 2 * a));
    const next = b - slope / curve;
    if (Math.abs(next - b) <= b * PRECISION || high - low <= high * PRECISION) break;
    b = next;
  }
  return { judged: times * b + plus, control: b };
}

const MOST_STEPS = 60;
const PRECISION = 1e-12;

/** ln(e^a + e^b) without overflow. */
export function logSum(a: number, b: number): number {
  const high = Math.max(a, b);
  return high === -Infinity ? -Infinity : high + Math.log1p(Math.exp(Math.min(a, b) - high));
}

/**
 * Bounds of a record's own rate with error probability `doubt` on each side: where the likelihood falls by that much
 * (Chernoff's bound; valid for any number of views).
 */
export function rateBounds(record: Count, doubt: number): { lower: number; upper: number } {
  if (record.views === 0) return { lower: 0, upper: 1 };
  const rate = finite(record.yes / record.views, 'The rate of a record');
  const far = (bound: number) =>
    logLikelihood(record, rate) - logLikelihood(record, bound) > Math.log(1 / doubt);
  return { lower: bisect(rate, 0, far), upper: bisect(rate, 1, far) };
}

/** Bisects between `near` and `end`; the result is on the side where `far` holds. */
function bisect(near: number, end: number, far: (bound: number) => boolean): number {
  let [inside, outside] = [near, end];
  for (let step = 0; step < MOST_STEPS; step++) {
    const middle = (inside + outside) / 2;
    if (far(middle)) outside = middle;
    else inside = middle;
  }
  return outside;
}
