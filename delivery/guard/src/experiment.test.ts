import { compareArms, WRONG_WINNER, type Standing } from './experiment.ts';
import { seededRandom } from './testing/seeded-random.ts';

const EXPERIMENTS = 2_000;
/** Published in docs/releasing.md. */
const VIEWS_FOR_20_PERCENT = 38_000;

/** Reads the standing after every outcome until there is a winner. */
function run(rates: (view: number) => Record<string, number>, views: number, seed: number): string | null {
  const random = seededRandom(seed);
  const names = Object.keys(rates(0));
  const arms = new Map(names.map((name) => [name, { views: 0, reached: 0 }]));
  for (let view = 1; view <= views; view += 1) {
    const name = names[Math.floor(random.next() * names.length)]!;
    const arm = arms.get(name)!;
    arm.views += 1;
    if (random.next() >= rates(view)[name]!) continue;
    arm.reached += 1;
    const standing = compareArms(arms);
    if (standing.is === 'won') return standing.leader;
  }
  return null;
}

const winners = (rates: (view: number) => Record<string, number>, views: number) =>
  Array.from({ length: EXPERIMENTS }, (_, seed) => run(rates, views, seed + 1));

const constant = (rates: Record<string, number>) => () => rates;
const [night, day] = [
  { a: 0.02, b: 0.02 },
  { a: 0.2, b: 0.2 },
];

test.each<[string, (view: number) => Record<string, number>, number]>([
  ['a rate of 5 %', constant({ a: 0.05, b: 0.05 }), 10_000],
  ['a rate of 40 %', constant({ a: 0.4, b: 0.4 }), 1_500],
  ['three variants', constant({ a: 0.1, b: 0.1, c: 0.1 }), 5_000],
  ['a rate that changes with the time of day', (view) => (view % 1_000 < 500 ? night : day), 5_000],
])('at most 1 of 100 experiments names a wrong winner, read after every outcome: %s', (_, rates, views) => {
  const wrong = winners(rates, views).filter((winner) => winner !== null);
  expect(wrong.length / EXPERIMENTS).toBeLessThanOrEqual(WRONG_WINNER);
});

test('80 % of experiments find a difference of 20 % in a rate of 5 % within the published number of views', () => {
  const found = winners(constant({ a: 0.05, b: 0.06 }), VIEWS_FOR_20_PERCENT);
  expect(found.filter((winner) => winner === 'b').length / EXPERIMENTS).toBeGreaterThanOrEqual(0.8);
  expect(found).not.toContain('a');
});

const stand = (arms: Record<string, [views: number, reached: number]>): Standing<string> =>
  compareArms(new Map(Object.entries(arms).map(([name, [views, reached]]) => [name, { views, reached }])));

test('the interval excludes no difference exactly if there is a winner', () => {
  for (let reached = 1_000; reached < 1_300; reached += 10) {
    const standing = stand({ a: [20_000, 1_000], b: [20_000, reached] });
    if (standing.is !== 'open' && standing.is !== 'won') continue;
    expect(standing).toMatchObject({ leader: 'b', lead: { lift: reached / 1_000 - 1 } });
    expect(standing.lead.interval().low > 0).toBe(standing.is === 'won');
  }
  expect(stand({ a: [20_000, 1_000], b: [20_000, 1_300] }).is).toBe('won');
});

test('nothing is compared before there are outcomes, or if they are equal', () => {
  for (const arms of [{}, { a: [9, 9] }, { a: [0, 0], b: [0, 0] }, { a: [50, 7], b: [40, 7] }] as const)
    expect(stand(arms as never)).toEqual({ is: 'even' });
});

test('a variant without outcomes leaves the lead open upwards', () => {
  const standing = stand({ a: [10, 3], b: [10, 0] });
  expect(standing).toMatchObject({
    is: 'open',
    lead: { lift: Infinity },
  });
  expect(standing.is === 'open' && standing.lead.interval().high).toBe(Infinity);
});

test('a split of the views that is not 50/50 is not compared', () => {
  expect(stand({ a: [6_000, 600], b: [4_000, 200] })).toEqual({ is: 'uneven' });
  expect(stand({ a: [5_100, 600], b: [4_900, 400] })).toMatchObject({ is: 'won', leader: 'a' });
});
