import { decide, type Situation } from './policy.ts';
import type { Evidence, Verdict } from './verdict.ts';

const evidence: Evidence = {
  question: 'fault',
  route: '/blocks',
  judged: { views: 10, yes: 9 },
  control: { views: 90, yes: 0 },
  chance: 1e-6,
};
const bad: Verdict = { is: 'bad', evidence };
const situation: Situation = {
  policy: 'act',
  phase: 'canary',
  sinceMs: 0,
  verdict: bad,
  actedLast: false,
};
const minutes = (count: number) => count * 60_000;

test.each<[Partial<Situation>, 'act' | 'suggest' | 'nothing']>([
  [{}, 'act'],
  [{ sinceMs: minutes(300) }, 'act'],
  [{ phase: 'release', sinceMs: minutes(9) }, 'act'],
  [{ phase: 'release', sinceMs: minutes(10) }, 'suggest'],
  [{ phase: 'release', sinceMs: minutes(59) }, 'suggest'],
  [{ phase: 'release', sinceMs: minutes(60) }, 'nothing'],
  [{ policy: 'suggest' }, 'suggest'],
  [{ policy: 'suggest', phase: 'release', sinceMs: minutes(60) }, 'nothing'],
  [{ policy: 'off' }, 'nothing'],
  [{ actedLast: true }, 'suggest'],
  [{ verdict: { is: 'good', evidence: [evidence] } }, 'nothing'],
  [{ verdict: { is: 'waiting', lacking: { views: 0, networks: 1 }, suspected: evidence } }, 'nothing'],
])('%j: %s', (part, expected) => {
  expect(decide({ ...situation, ...part }).do).toBe(expected);
});

test('a decision states its reason', () => {
  expect(decide({ ...situation, actedLast: true }).why).toBe(
    'the guard made the last change of this app, and a person has to look first',
  );
});
