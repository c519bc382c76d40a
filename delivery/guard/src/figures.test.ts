import {
  startComparison,
  type Answers,
  type Comparison,
  type ComparisonPlan,
  type Sum,
} from './comparison.ts';
import { judge } from './judge.ts';
import { questions, type Question } from './questions.ts';
import { seededRandom } from './testing/seeded-random.ts';
import { verdictOf } from './verdict.ts';

/** Rates and false alarms were simulated with these figures (`npm run bench:guard`): a change of one needs another simulation. */

const YES: Record<Question, number> = { fault: 0.05, 'late-fault': 0.03, form: 0.1, lcp: 0.25, inp: 0.2 };

/** The same answers each time: of few and of many networks, with gaps, in which one visitor repeats itself. */
function answersOf(plan: ComparisonPlan, sums: number, yesFactor: number): Comparison {
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
        told.push({ question, route, judged: { ...judged, from, yesFrom }, control });
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
      { '/a': { views: 4_000, yes: 4_000 * YES[question] }, '/b': { views: 50, yes: 1 } },
    ]),
  ),
};

const rounded = (value: number) => Number(value.toPrecision(5));

/** One line for each question: blocks, networks and counters, and what the bets of "worse", "doubt" and "fine" have. */
function figuresOf(comparison: Comparison): string[] {
  const lines = questions.map((question) => {
    const { blocks, worse, doubt, fine, networks, yesOf } = comparison.questions[question].everywhere;
    const counters = Object.values(yesOf).reduce((sum, count) => sum + count, 0);
    const bets = [worse, doubt, fine].map((logs) => logs.map(rounded).join(' '));
    return [question, blocks, networks.length, counters, ...bets].join(' | ');
  });
  const verdict = verdictOf(comparison);
  const [evidence] =
    verdict.is === 'good' ? verdict.evidence : [verdict.is === 'bad' ? verdict.evidence : verdict.suspected];
  const lacking: number[] = verdict.is === 'waiting' ? [verdict.lacking.views, verdict.lacking.networks] : [];
  const found = evidence ? [evidence.question, evidence.route ?? 'everywhere', rounded(evidence.chance)] : [];
  return [...lines, [verdict.is, ...found, ...lacking].join(' | ')];
}

test.each([
  [
    'an equal canary',
    answersOf(live, 120, 1),
    [
      'fault | 52 | 4 | 0 | -8.8318 -9.3112 -9.5295 -9.531 | -8.1837 -8.8159 -9.5136 -9.531 | -36.478 -7.0021',
      'late-fault | 49 | 4 | 31 | -9.1132 -9.3843 -9.4133 -9.4133 | -9.0626 -9.3842 -9.4133 -9.4133 | -23.147 -2.8439',
      'form | 50 | 4 | 29 | -8.8318 -9.3153 -9.4532 -9.4533 | -8.0521 -9.1423 -9.4528 -9.4533 | -9.2526 12.266',
      'lcp | 52 | 4 | 40 | -7.7538 -9.2447 -9.5296 | -5.9278 -9.1345 -9.5284 | 7.3402 4.2993',
      'inp | 49 | 4 | 30 | -7.2029 -9.291 -9.4132 | -4.8707 -9.1899 -9.413 | 5.0866 3.4215',
      'waiting | 578 | 0',
    ],
  ],
  [
    'a worse canary',
    answersOf(live, 120, 2),
    [
      'fault | 51 | 4 | 29 | -8.0184 -8.9441 -9.489 -9.4925 | 2.631 -4.8379 -9.3664 -9.4925 | -87.209 -21.514',
      'late-fault | 48 | 4 | 8 | -9.1908 -9.3714 -9.3725 -9.3725 | -8.6599 -9.3646 -9.3725 -9.3725 | -42.297 -8.6609',
      'form | 51 | 4 | 10 | -8.2374 -8.4973 -9.4167 -9.4925 | 9.9836 6.2671 -9.4167 -9.4925 | -119.42 -25.022',
      'lcp | 52 | 4 | 23 | 17.586 34.716 31.679 | 22.692 46.756 56.233 | -25.866 -11.74',
      'inp | 48 | 4 | 12 | 15.352 26.842 10.034 | 25.721 50.723 54.364 | -28.65 -12.832',
      'bad | lcp | everywhere | 4.5641e-14',
    ],
  ],
  [
    'a canary with few answers',
    answersOf(live, 12, 0),
    [
      'fault | 12 | 4 | 0 | -4.8082 -5.7986 -6.5253 -6.6593 | -4.8082 -5.7986 -6.5253 -6.6593 | 4.4783 2.3365',
      'late-fault | 11 | 4 | 0 | -4.0152 -5.4259 -6.1241 -6.4922 | -4.0152 -5.4259 -6.1241 -6.4922 | 2.4331 1.2248',
      'form | 10 | 4 | 0 | -2.9423 -4.5223 -5.643 -6.3097 | -2.9423 -4.5223 -5.643 -6.3097 | 8.0542 4.1171',
      'lcp | 12 | 4 | 0 | -3.1784 -5.944 -6.4752 | -3.1784 -5.944 -6.4752 | 4.0253 2.0363',
      'inp | 11 | 4 | 0 | -2.2991 -4.8393 -5.861 | -2.2991 -4.8393 -5.861 | 2.8894 1.4587',
      'waiting | 33 | 0',
    ],
  ],
  [
    'an equal release',
    answersOf(record, 200, 1),
    [
      'fault | 49 | 20 | 5 | -9.0705 -9.3936 -9.4133 -9.4133 | -9.0703 -9.3936 -9.4133 -9.4133 | 0.29279 0.1797',
      'late-fault | 42 | 20 | 28 | -8.6726 -9.0968 -9.1083 -9.1083 | -8.4576 -9.0848 -9.1083 -9.1083 | -0.52146 -0.13823',
      'form | 46 | 20 | 3 | -9.12 -9.286 -9.2882 -9.2882 | -9.0511 -9.2827 -9.2882 -9.2882 | -51.536 -5.1626',
      'lcp | 47 | 20 | 20 | -8.8296 -9.312 -9.3308 | -6.2554 -8.4973 -9.3306 | -113.6 -42.88',
      'inp | 50 | 20 | 13 | -9.3082 -9.4511 -9.4533 | -9.1428 -9.4412 -9.4533 | -71.497 -26.327',
      'waiting | 702 | 0',
    ],
  ],
  [
    'a worse release',
    answersOf(record, 200, 3),
    [
      'fault | 45 | 20 | 26 | -8.5808 -9.2314 -9.2447 -9.2447 | -0.83302 -9.0426 -9.2447 -9.2447 | -5.5474 -2.6717',
      'late-fault | 47 | 20 | 6 | -9.0717 -9.3284 -9.3308 -9.3308 | -7.1544 -9.3283 -9.3308 -9.3308 | -6.4678 -2.9006',
      'form | 45 | 20 | 13 | -8.678 -9.2424 -9.2447 -9.2447 | 0.16446 -5.1057 -9.2447 -9.2447 | -257.69 -80.341',
      'lcp | 41 | 20 | 18 | 36.01 82.413 143.91 | 79.061 186.02 357.24 | -319.39 -125.83',
      'inp | 45 | 20 | 19 | 21.202 40.666 26.736 | 61.354 136.28 220.6 | -266.63 -104.92',
      'bad | lcp | everywhere | 4.3789e-61',
    ],
  ],
  [
    'a good release',
    answersOf(record, 400, 0),
    [
      'fault | 64 | 20 | 0 | -9.8183 -9.9414 -9.9427 -9.9427 | -9.8183 -9.9414 -9.9427 -9.9427 | 5.8742 2.9412',
      'late-fault | 59 | 20 | 0 | -9.6504 -9.7798 -9.7813 -9.7813 | -9.6504 -9.7798 -9.7813 -9.7813 | 7.9818 3.9998',
      'form | 70 | 20 | 0 | -10.034 -10.12 -10.121 -10.121 | -10.034 -10.12 -10.121 -10.121 | 184.74 94.389',
      'lcp | 59 | 20 | 0 | -9.7542 -9.7813 -9.7813 | -9.7542 -9.7813 -9.7813 | 53.184 26.776',
      'inp | 66 | 20 | 0 | -9.9921 -10.004 -10.004 | -9.9921 -10.004 -10.004 | 54.754 27.569',
      'good | fault | everywhere | 0.0053382',
    ],
  ],
])('the figures of %s stay', (_what, comparison, figures) => {
  expect(figuresOf(comparison)).toEqual(figures);
});
