/**
 * Evidence that a rate is above (or below) what a line through another rate allows, as an e-value: a number that is at most 1 on
 * average while the claim it speaks against is true. It may be looked at at any time.
 *
 * Rosanne Turner, Alexander Ly, Peter Grünwald: Generic E-variables for exact sequential k-sample tests that allow for optional
 * stopping. Journal of Statistical Planning and Inference 230 (2024) 106116. With a margin: Turner, Grünwald: Exact anytime-valid
 * confidence intervals for contingency tables and beyond (arXiv 2203.09785).
 *
 * A block has n answers of the judged version, each yes with probability a, and m of the control, each yes with probability b. The
 * claim: a ≤ times·b + plus. A bet (a*, b*) on the other side of the line, chosen before the block, pays what the block's answers are
 * likelier under (a*, b*) than under (a°, b°), the point of the line that is nearest to the bet: where
 * n·KL(a*‖a°) + m·KL(b*‖b°) is smallest. **Why it is at most 1 on average.** One answer of the judged version pays
 * f(a) = a·(a* / a°) + (1−a)·(1−a*) / (1−a°) on average, which is linear in a, and 1 at a°; the control's pays g(b) likewise. The whole
 * block pays f(a)^n · g(b)^m ≤ ((n·f(a) + m·g(b)) / (n+m))^(n+m), for a geometric mean is at most the arithmetic one. And
 * n·f(a) + m·g(b) ≤ n + m wherever the claim is true: it is linear, n + m at (a°, b°), and its slope along the way into the
 * claim is minus that of the distance, which grows there, (a°, b°) being nearest. Nothing in it needs n and m to be whole, nor
 * the rates to be the same in two blocks: they may rise and fall with the day, as long as they do so for both versions.
 */
import { finite } from './finite.ts';
import type { Line } from './questions.ts';

/** How often a question was answered, and how often by yes. Both may be parts of 1: see `weigh` in `judge.ts`. */
export interface Count {
  views: number;
  yes: number;
}

/** A point of the plane of both rates. */
export interface Rates {
  judged: number;
  control: number;
}

const logLikelihood = ({ views, yes }: Count, rate: number) =>
  (yes > 0 ? yes * Math.log(rate) : 0) + (views > yes ? (views - yes) * Math.log1p(-rate) : 0);

export const onLine = ({ times, plus }: Line, control: number) => times * control + plus;

/**
 * The natural logarithm of what a bet pays on one block. A control without answers pays nothing, nor does a bet on the line.
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
 * The same against a rate that stands (from a record): the judged version's alone. It is a case of the proof above, without control.
 * Valid for all rates on the other side of `rate` than the bet.
 */
export function logPaidAgainstRate(bet: number, rate: number, judged: Count): number {
  return logLikelihood(judged, bet) - logLikelihood(judged, rate);
}

/**
 * Where n·KL(a*‖a) + m·KL(b*‖b) is smallest on the line. Its slope has the sign of a cubic in b that has one root between the bet's
 * own two ends: Newton's steps, halved where they would leave that stretch.
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

/** ln(e^a + e^b), for numbers that do not fit otherwise. */
export function logSum(a: number, b: number): number {
  const high = Math.max(a, b);
  return high === -Infinity ? -Infinity : high + Math.log1p(Math.exp(Math.min(a, b) - high));
}

/**
 * Between which rates a record's own lies, but for a chance of `doubt` on each side: where the likelihood falls by that much
 * (Chernoff's bound; exact for any number of views).
 */
export function boundsOf(record: Count, doubt: number): { lower: number; upper: number } {
  if (record.views === 0) return { lower: 0, upper: 1 };
  const rate = finite(record.yes / record.views, 'The rate of a record');
  const far = (bound: number) =>
    logLikelihood(record, rate) - logLikelihood(record, bound) > Math.log(1 / doubt);
  return { lower: edgeOf(rate, 0, far), upper: edgeOf(rate, 1, far) };
}

/** The point between `near` and `end` where `far` begins to hold, on the far side. */
function edgeOf(near: number, end: number, far: (bound: number) => boolean): number {
  let [inside, outside] = [near, end];
  for (let step = 0; step < MOST_STEPS; step++) {
    const middle = (inside + outside) / 2;
    if (far(middle)) outside = middle;
    else inside = middle;
  }
  return outside;
}
