import {
  startComparison,
  type Answers,
  type Comparison,
  type ComparisonPlan,
  type Sum,
} from './comparison.ts';
import type { NamedEngine } from './engines.ts';
import { judge } from './judge.ts';
import { questions, type Question } from './questions.ts';
import { seededRandom } from './testing/seeded-random.ts';
import { evaluate } from './verdict.ts';

/**
 * Rates and false alarms were simulated with these figures (`npm run bench:guard`). Changing one requires another
 * simulation.
 */

const YES: Record<Question, number> = {
  fault: 0.05,
  'late-fault': 0.03,
  form: 0.1,
  lcp: 0.25,
  inp: 0.2,
  interactive: 0.2,
};
const ENGINE = Object.fromEntries(
  questions.map((question) => [question, question === 'interactive' ? 'webkit' : 'chromium']),
) as Record<Question, NamedEngine>;

/** Deterministic answers of few and of many networks, with gaps, and one repeating visitor. */
function simulateAnswers(plan: ComparisonPlan, sums: number, yesFactor: number): Comparison {
  const random = seededRandom(7);
  const counted = (views: number, rate: number): Answers => ({
    views,
    yes: random.binomial(views, rate),
    networks: Math.ceil(views * (0.2 + 0.8 * random.next())),
  });
  let comparison = startComparison(plan);
  for (let step = 0; step < sums; step++) {
    const told: Sum[] = [];
    for (const question of questions) {
      for (const route of plan.routes) {
        if (random.next() < 0.3) continue;
        const rate = YES[question];
        const judged = counted(random.poisson(4), Math.min(1, rate * yesFactor));
        const from = Array.from({ length: judged.networks }, (_, index) => `n${(step * 3 + index) % 60}`);
        const yesFrom = Array.from({ length: judged.yes }, (_, index) =>
          random.next() < 0.2 ? 'loud' : `n${(step + index * 7) % 60}`,
        );
        const control =
          plan.against === 'live' && random.next() < 0.9
            ? counted(random.poisson(20), rate)
            : { views: 0, yes: 0, networks: 0 };
        told.push({
          question,
          route,
          engine: ENGINE[question],
          judged: { ...judged, from, yesFrom },
          control,
        });
      }
    }
    comparison = judge(comparison, told);
  }
  return comparison;
}

const live: ComparisonPlan = { against: 'live', apps: 2, routes: ['/a', '/b', '/new'], newRoutes: ['/new'] };
const record: ComparisonPlan = {
  against: 'record',
  apps: 1,
  routes: ['/a', '/b'],
  record: Object.fromEntries(
    questions.map((question) => [
      question,
      {
        '/a': { [ENGINE[question]]: { views: 4_000, yes: 4_000 * YES[question] } },
        '/b': { [ENGINE[question]]: { views: 50, yes: 1 } },
      },
    ]),
  ),
};

const rounded = (value: number) => Number(value.toPrecision(5));

/** One line per question: blocks, networks and counters, and the wealth of the bets of "worse", "doubt" and "fine". */
function formatFigures(comparison: Comparison): string[] {
  const lines = questions.map((question) => {
    const { blocks, worse, doubt, fine, networks, yesByNetwork } = comparison.questions[question].everywhere;
    const counters = Object.values(yesByNetwork).reduce((sum, count) => sum + count, 0);
    const bets = [worse, doubt, fine].map((logs) => logs.map(rounded).join(' '));
    return [question, blocks, networks.length, counters, ...bets].join(' | ');
  });
  const verdict = evaluate(comparison);
  const [evidence] =
    verdict.is === 'good' ? verdict.evidence : [verdict.is === 'bad' ? verdict.evidence : verdict.suspected];
  const lacking: number[] = verdict.is === 'waiting' ? [verdict.lacking.views, verdict.lacking.networks] : [];
  const found = evidence ? [evidence.question, evidence.route ?? 'everywhere', rounded(evidence.chance)] : [];
  return [...lines, [verdict.is, ...found, ...lacking].join(' | ')];
}

test.each([
  [
    'an equal canary',
    simulateAnswers(live, 120, 1),
    [
      'fault | 51 | 4 | 30 | -9.0861 -9.4642 -9.4925 -9.4925 | -8.8609 -9.431 -9.4925 -9.4925 | -22.697 -3.1476',
      'late-fault | 49 | 4 | 27 | -8.9719 -9.375 -9.4133 -9.4133 | -8.507 -9.3061 -9.4132 -9.4133 | -22.317 -3.2381',
      'form | 49 | 4 | 10 | -9.0415 -9.4084 -9.4133 -9.4133 | -8.0037 -9.3832 -9.4133 -9.4133 | -15.724 10.22',
      'lcp | 56 | 4 | 23 | -5.4297 -9.5615 -9.6775 | -1.9822 -9.3601 -9.6765 | 2.6173 2.0434',
      'inp | 50 | 4 | 23 | -5.3921 -8.7901 -9.4458 | -1.351 -8.5571 -9.4375 | 1.4237 1.6806',
      'interactive | 50 | 4 | 19 | -3.1691 -8.6232 -9.4462 | 2.4458 -5.6741 -9.4124 | -2.574 -0.17584',
      'waiting | 410 | 0',
    ],
  ],
  [
    'a worse canary',
    simulateAnswers(live, 120, 2),
    [
      'fault | 51 | 4 | 48 | -9.2216 -9.4793 -9.4925 -9.4925 | 2.3584 -8.5951 -9.4925 -9.4925 | -92.995 -23.127',
      'late-fault | 44 | 4 | 34 | -8.2199 -8.5062 -9.1715 -9.2003 | -7.5993 -8.5055 -9.1715 -9.2003 | -52.373 -11.472',
      'form | 48 | 4 | 8 | -8.6208 -9.211 -9.3723 -9.3725 | 11.052 9.9139 -9.3703 -9.3725 | -123.4 -27.486',
      'lcp | 51 | 4 | 16 | 15.669 30.686 24.186 | 22.337 46.585 57.034 | -26.016 -11.852',
      'inp | 51 | 4 | 47 | 12.101 18.888 3.0319 | 21.134 39.845 28.578 | -23.464 -10.353',
      'interactive | 49 | 4 | 19 | 17.844 33.402 22.698 | 24.151 47.973 51.333 | -26.727 -11.992',
      'bad | interactive | everywhere | 6.2332e-13',
    ],
  ],
  [
    'a canary with few answers',
    simulateAnswers(live, 12, 0),
    [
      'fault | 12 | 4 | 0 | -3.8879 -5.7647 -6.2176 -6.6593 | -3.8879 -5.7647 -6.2176 -6.6593 | 1.7132 0.85652',
      'late-fault | 11 | 4 | 0 | -3.4698 -4.6894 -5.9237 -6.4922 | -3.4698 -4.6894 -5.9237 -6.4922 | 2.0384 1.0333',
      'form | 10 | 4 | 0 | -3.3896 -5.7036 -6.2894 -6.3099 | -3.3896 -5.7036 -6.2894 -6.3099 | 10.181 5.181',
      'lcp | 10 | 4 | 0 | -2.8004 -5.1971 -5.9647 | -2.8004 -5.1971 -5.9647 | 3.5819 1.8087',
      'inp | 11 | 4 | 0 | -2.1249 -5.0767 -6.2322 | -2.1249 -5.0767 -6.2322 | 2.4075 1.2109',
      'interactive | 10 | 4 | 0 | -3.4489 -5.8574 -6.2897 | -3.4489 -5.8574 -6.2897 | 4.1742 2.0988',
      'waiting | 154 | 0',
    ],
  ],
  [
    'an equal release',
    simulateAnswers(record, 200, 1),
    [
      'fault | 49 | 20 | 38 | -9.3112 -9.4129 -9.4133 -9.4133 | -9.209 -9.4127 -9.4133 -9.4133 | -0.68974 -0.3035',
      'late-fault | 44 | 20 | 19 | -9.0054 -9.1967 -9.2003 -9.2003 | -8.9828 -9.1966 -9.2003 -9.2003 | 1.0634 0.63135',
      'form | 46 | 20 | 4 | -9.098 -9.2846 -9.2882 -9.2882 | -9.0924 -9.2846 -9.2882 -9.2882 | -47.516 -2.9458',
      'lcp | 48 | 20 | 0 | -9.0338 -9.3593 -9.3725 | -7.3927 -9.0914 -9.3724 | -74.813 -27.954',
      'inp | 45 | 20 | 15 | -8.7521 -9.2214 -9.2447 | -7.9041 -8.9236 -9.2447 | -70.145 -26.072',
      'interactive | 45 | 20 | 32 | -8.9239 -9.2315 -9.2447 | -8.6892 -9.2224 -9.2447 | -93.421 -34.8',
      'waiting | 623 | 0',
    ],
  ],
  [
    'a worse release',
    simulateAnswers(record, 200, 3),
    [
      'fault | 45 | 20 | 57 | -8.9751 -9.2383 -9.2447 -9.2447 | 1.4046 -7.1288 -9.2447 -9.2447 | -5.2977 -2.5521',
      'late-fault | 42 | 20 | 41 | -9.0054 -9.1083 -9.1083 -9.1083 | -7.0935 -9.1071 -9.1083 -9.1083 | -6.9101 -3.1181',
      'form | 49 | 20 | 13 | -8.8275 -9.3685 -9.4133 -9.4133 | -1.711 -9.0674 -9.4133 -9.4133 | -229.89 -70.956',
      'lcp | 39 | 20 | 15 | 36.086 82.792 145.54 | 76.497 180.21 346.58 | -303.24 -119.56',
      'inp | 46 | 20 | 27 | 18.585 35.031 18.325 | 54.05 119.56 190.07 | -235.77 -92.777',
      'interactive | 46 | 20 | 28 | 16.43 29.641 5.5226 | 59.755 133.08 216.35 | -251.48 -99.097',
      'bad | lcp | everywhere | 1.2454e-61',
    ],
  ],
  [
    'a good release',
    simulateAnswers(record, 400, 0),
    [
      'fault | 61 | 20 | 0 | -9.6965 -9.8449 -9.8474 -9.8474 | -9.6965 -9.8449 -9.8474 -9.8474 | 6.2468 3.1278',
      'late-fault | 59 | 20 | 0 | -9.6456 -9.7798 -9.7813 -9.7813 | -9.6456 -9.7798 -9.7813 -9.7813 | 8.151 4.0846',
      'form | 66 | 20 | 0 | -9.9257 -10.003 -10.004 -10.004 | -9.9257 -10.003 -10.004 -10.004 | 188.72 96.419',
      'lcp | 60 | 20 | 0 | -9.7532 -9.8143 -9.8147 | -9.7532 -9.8143 -9.8147 | 52.755 26.56',
      'inp | 63 | 20 | 0 | -9.896 -9.9114 -9.9115 | -9.896 -9.9114 -9.9115 | 53.951 27.165',
      'interactive | 65 | 20 | 0 | -9.9295 -9.9733 -9.9735 | -9.9295 -9.9733 -9.9735 | 51.918 26.138',
      'good | fault | everywhere | 0.0037092',
    ],
  ],
])('the figures of %s stay', (_what, comparison, figures) => {
  expect(formatFigures(comparison)).toEqual(figures);
});
