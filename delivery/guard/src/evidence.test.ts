import { rateBounds, logPaid, logSum, nearestOnLine, onLine, type Rates } from './evidence.ts';
import type { Line } from './questions.ts';

const lines: Line[] = [
  { times: 1, plus: 0 },
  { times: 1.2, plus: 0.005 },
  { times: 1, plus: 0.05 },
];
const bets: Rates[] = [
  { judged: 0.95, control: 0.001 },
  { judged: 0.4, control: 0.25 },
  { judged: 0.05, control: 0.02 },
];

const binomial = (n: number, yes: number, p: number): number => {
  let ways = 1;
  for (let index = 0; index < yes; index++) ways *= (n - index) / (index + 1);
  return ways * p ** yes * (1 - p) ** (n - yes);
};

/** The expected payment of a block of n and m answers, by enumerating all outcomes. */
function average(bet: Rates, line: Line, [n, m]: readonly [number, number], truth: Rates): number {
  let sum = 0;
  for (let yes = 0; yes <= n; yes++)
    for (let other = 0; other <= m; other++)
      sum +=
        binomial(n, yes, truth.judged) *
        binomial(m, other, truth.control) *
        Math.exp(logPaid(bet, line, { views: n, yes }, { views: m, yes: other }));
  return sum;
}

const cases = lines.flatMap((line) => bets.map((bet) => ({ line, bet })));

test.each(cases)(
  'the expected payment is at most 1 under the null hypothesis: $line, $bet',
  ({ line, bet }) => {
    for (const answers of [
      [1, 1],
      [1, 9],
      [3, 20],
      [6, 2],
    ] as const)
      for (const control of [0, 0.001, 0.02, 0.1, 0.25, 0.5, 0.8])
        for (const part of [0, 0.5, 0.9, 1]) {
          const limit = Math.min(1, onLine(line, control));
          // The claim is on the other side of the line than the bet.
          const worse = bet.judged > onLine(line, bet.control);
          const judged = worse ? limit * part : 1 - (1 - limit) * part;
          expect(average(bet, line, answers, { judged, control })).toBeLessThanOrEqual(1 + 1e-9);
        }
  },
);

test('the expected payment is above 1 otherwise', () => {
  const [line, bet] = [lines[1]!, bets[0]!];
  expect(average(bet, line, [1, 9], { judged: 1, control: 0 })).toBeGreaterThan(10);
});

test('fractional answers pay like fewer answers', () => {
  const paid = (weight: number) =>
    logPaid(bets[0]!, lines[1]!, { views: 4 * weight, yes: 4 * weight }, { views: 36 * weight, yes: 0 });
  expect(paid(0.5)).toBeCloseTo(paid(1) / 2, 9);
});

test('the point of the line is the nearest one', () => {
  for (const { line, bet } of cases)
    for (const [n, m] of [
      [1, 9],
      [0.4, 3],
      [50, 1],
    ] as const) {
      const far = ({ judged, control }: Rates) =>
        n * divergence(bet.judged, judged) + m * divergence(bet.control, control);
      const nearest = nearestOnLine(bet, line, n, m);
      expect(nearest.judged).toBeCloseTo(onLine(line, nearest.control), 12);
      for (const aside of [-1e-4, 1e-4]) {
        const control = nearest.control * (1 + aside);
        expect(far({ control, judged: onLine(line, control) })).toBeGreaterThanOrEqual(far(nearest));
      }
    }
});

const divergence = (p: number, q: number) => p * Math.log(p / q) + (1 - p) * Math.log((1 - p) / (1 - q));

test('the bounds of a record exclude rates that rarely produce it', () => {
  const { lower, upper } = rateBounds({ views: 1_000, yes: 20 }, 0.001);
  expect(lower).toBeCloseTo(0.0076, 3);
  expect(upper).toBeCloseTo(0.0411, 3);
  // No yes answers: (1 − upper)^n = doubt.
  const unseen = rateBounds({ views: 500, yes: 0 }, 0.01);
  expect(unseen.lower).toBe(0);
  expect(unseen.upper).toBeCloseTo(1 - 0.01 ** (1 / 500), 9);
  expect(rateBounds({ views: 0, yes: 0 }, 0.01)).toEqual({ lower: 0, upper: 1 });
});

test('logarithms are added without overflow', () => {
  expect(logSum(1_000, 1_000)).toBeCloseTo(1_000 + Math.LN2, 9);
  expect(logSum(-Infinity, -Infinity)).toBe(-Infinity);
});
