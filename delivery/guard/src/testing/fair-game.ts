import { startComparison } from '../comparison.ts';
import { onLine } from '../evidence.ts';
import { judge } from '../judge.ts';
import { QUESTIONS } from '../questions.ts';
import { seededRandom } from './seeded-random.ts';

const SUMS = 300;

/**
 * A version whose fault rate is exactly the tolerated limit, on one route, with a tenth of the visitors. Returns the
 * maximum log evidence, which reaches ln(x) in at most one of x comparisons.
 */
export function fairGame(faults: number, seed: number): number {
  const random = seededRandom(seed);
  const { tolerated, bets } = QUESTIONS.fault;
  let comparison = startComparison({ against: 'live', apps: 1, routes: ['/'] });
  let most = -Infinity;
  for (let sum = 0; sum < SUMS; sum++) {
    const judged = random.poisson(1);
    const yes = random.binomial(judged, onLine(tolerated, faults));
    const control = random.poisson(9);
    comparison = judge(comparison, [
      {
        route: '/',
        engine: 'other',
        question: 'fault',
        judged: {
          views: judged,
          yes,
          networks: judged,
          from: [],
          yesFrom: Array.from({ length: yes }, (_, index) => `${sum}-${index}`),
        },
        control: { views: control, yes: random.binomial(control, faults), networks: control },
      },
    ]);
    const { worse } = comparison.questions.fault.everywhere;
    const all = bets.reduce((total, { stake }, bet) => total + stake * Math.exp(worse[bet] ?? -Infinity), 0);
    most = Math.max(most, Math.log(all));
  }
  return most;
}
