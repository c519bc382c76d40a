import { fairGame } from './testing/fair-game.ts';
import { simulate, type Scenario } from './testing/simulate.ts';

/** A small version of `npm run bench:guard`. */
const RUNS = 8;
const all = (rate: number) => Array.from({ length: 17 }, () => rate);
const canary: Scenario = {
  against: 'live',
  share: 0.1,
  viewsPerSecond: 20,
  routes: all(1 / 17),
  seconds: 600,
  sumSeconds: 20,
  faults: 0.001,
};
/** Like `canary` but faster: the false alarm rate is independent of the number of pages and the batch interval. */
const quiet: Scenario = { ...canary, sumSeconds: 20, routes: Array.from({ length: 6 }, () => 1 / 6) };
const release: Scenario = { ...canary, against: 'record', share: 1 };

const runs = (scenario: Scenario) => Array.from({ length: RUNS }, (_, run) => simulate(scenario, run + 1));

/** Time in seconds at which nine of ten had ended. */
function mostlyEnded(scenario: Scenario): number {
  const times = runs(scenario).map(({ bad }) => bad ?? Infinity);
  return times.sort((a, b) => a - b)[Math.floor(RUNS * 0.9)]!;
}

test.each<[string, Scenario, number]>([
  ['all pages throw', { ...canary, sumSeconds: 2, worse: { faults: all(1) } }, 60],
  ['5 % of all views throw', { ...canary, worse: { faults: all(0.05) } }, 300],
  ['LCP is 30 % worse', { ...canary, worse: { lcp: 1.3 } }, 600],
  ['INP is 30 % worse', { ...canary, worse: { inp: 1.3 } }, 600],
  ['a release: all pages throw', { ...release, sumSeconds: 2, worse: { faults: all(1) } }, 60],
  ['a release: LCP is 30 % worse', { ...release, sumSeconds: 8, worse: { lcp: 1.3 } }, 600],
])('a bad version is ended in time: %s', (_, scenario, seconds) => {
  expect(mostlyEnded(scenario)).toBeLessThanOrEqual(seconds);
});

test.each<[string, Scenario]>([
  ['2 % of faults in both', { ...quiet, faults: 0.02 }],
  [
    'twenty networks where every page breaks',
    { ...quiet, brokenNetworks: { count: 20, fromSecond: 60, toSecond: 480 } },
  ],
  [
    'half of the visitors in the canary, and one network where every page breaks',
    {
      ...quiet,
      share: 0.5,
      faults: 0.02,
      brokenNetworks: { count: 1, fromSecond: 0, toSecond: 600 },
    },
  ],
  ['another remote fails', { ...quiet, world: { faults: (second) => (second > 120 ? 0.3 : 0) } }],
  ['a release as its record', { ...quiet, against: 'record', share: 1, faults: 0.02 }],
])('a version that is no worse is not ended: %s', (_, scenario) => {
  expect(runs(scenario).filter(({ bad }) => bad !== undefined)).toEqual([]);
});

test.each<[string, Scenario]>([
  ['a canary, 3 of 30', { ...quiet, worse: { networks: { failing: 3, of: 30 } } }],
  [
    'a release, 19 of 40',
    { ...quiet, against: 'record', share: 1, worse: { networks: { failing: 19, of: 40 } } },
  ],
])('where some networks fail and others do not, it is never found good: %s', (_, scenario) => {
  const all = runs({ ...scenario, seconds: 3_600 });
  expect(all.filter(({ good }) => good !== undefined)).toEqual([]);
  expect(all.map(({ last }) => last)).toEqual(
    all.map(
      () => expect.objectContaining({ is: 'waiting', suspected: expect.anything() as object }) as object,
    ),
  );
});

test('false alarms for a version at the tolerated limit are as rare as stated', () => {
  const games = Array.from({ length: 100 }, (_, run) => fairGame(0.02, run + 1));
  expect(games.filter((most) => most >= Math.log(10)).length).toBeLessThanOrEqual(10);
});
