/**
 * `npm run bench:guard`: how soon the guard ends a bad version, and how often a good one, over simulated releases. Seeded, so it prints
 * the same figures on every machine. Ends with 1 where a limit is exceeded. Prints tables and keeps them in `docs/benchmarks.md`.
 */
import { FALSE_ALARMS } from '@site/guard/comparison';
import { fairGame } from '@site/guard/testing/fair-game';
import { simulate, type Scenario } from '@site/guard/testing/simulate';
import { keepSection } from './keep-section.ts';
import { table } from './table.ts';

/** `npm run bench:guard -- 200` is for looking: the document holds whole runs. */
const asked = process.argv[2];
const RUNS = asked === undefined ? 2_000 : Number(asked);
const FAIR_RUNS = 20_000;
const ROUTES = 17;
const all = (rate: number) => Array.from({ length: ROUTES }, () => rate);
const evenly = all(1 / ROUTES);
/** One page that has a fifth of all views. */
const popular = evenly.map((_, route) => (route === 0 ? 0.2 : 0.8 / (ROUTES - 1)));
const first = (rate: number) => evenly.map((_, route) => (route === 0 ? rate : 0));

const canary: Scenario = {
  against: 'live',
  share: 0.1,
  viewsPerSecond: 20,
  routes: evenly,
  seconds: 600,
  faults: 0.001,
};
const release: Scenario = { ...canary, against: 'record', share: 1 };

/** A wave through the day, so steep as it gets, and an hour into its slow half. */
const drift = (by: number) => (second: number) =>
  1 + by * Math.sin((2 * Math.PI * (second + 3_600)) / 86_400);
const outage = (second: number, route: number) => (second > 120 && second < 420 && route < 3 ? 0.3 : 0);

interface Bad {
  name: string;
  scenario: Scenario;
  withinSeconds: number;
  /** Where nobody may be later. Otherwise the figure is told, and is no promise. */
  promised: boolean;
}

const bad: Bad[] = [
  ...[
    { of: 'canary, 10 %', base: canary },
    { of: 'release', base: release },
  ].flatMap(({ of, base }) => {
    // A record settles for a number of sums (`settlesAfterSums`): long ones would make that longer.
    const slow = { ...base, seconds: 900, sumSeconds: base.against === 'record' ? 4 : 15 };
    const rare = { ...base, sumSeconds: 4 };
    return [
      {
        name: `${of}: all pages throw`,
        scenario: { ...base, worse: { faults: all(1) } },
        withinSeconds: 60,
        promised: true,
      },
      {
        name: `${of}: one page throws, with a fifth of the views`,
        scenario: { ...base, routes: popular, worse: { faults: first(1) } },
        withinSeconds: 60,
        promised: true,
      },
      {
        name: `${of}: one page throws, with a 17th of the views`,
        scenario: { ...base, worse: { faults: first(1) } },
        withinSeconds: 60,
        promised: false,
      },
      {
        name: `${of}: 5 % of all views throw`,
        scenario: { ...rare, worse: { faults: all(0.05) } },
        withinSeconds: 300,
        promised: true,
      },
      {
        name: `${of}: 5 % throw when used`,
        scenario: { ...rare, worse: { lateFaults: 0.05 } },
        withinSeconds: 300,
        promised: true,
      },
      {
        name: `${of}: LCP 30 % worse`,
        scenario: { ...slow, worse: { lcp: 1.3 } },
        withinSeconds: 600,
        promised: true,
      },
      {
        name: `${of}: INP 30 % worse`,
        scenario: { ...slow, worse: { inp: 1.3 } },
        withinSeconds: 600,
        promised: true,
      },
    ];
  }),
  {
    name: 'canary, 10 %: all pages throw, from its tenth minute on',
    scenario: {
      ...canary,
      seconds: 720,
      sumSeconds: 5,
      worse: { faults: all(1), fromSecond: 600 },
    },
    withinSeconds: 660,
    promised: true,
  },
];

/** Fewer pages and longer sums, for time: false alarms are as rare with any number of both. */
const FEWER = 6;
const long = { sumSeconds: 20, routes: Array.from({ length: FEWER }, () => 1 / FEWER) };
const fine: { name: string; scenario: Scenario }[] = [
  { name: 'canary, no faults in both', scenario: { ...canary, ...long, faults: 0 } },
  { name: 'canary, 0.1 % in both', scenario: { ...canary, ...long } },
  { name: 'canary, 2 % in both', scenario: { ...canary, ...long, faults: 0.02 } },
  {
    name: 'canary, LCP and INP 2 % worse',
    scenario: { ...canary, ...long, worse: { lcp: 1.02, inp: 1.02 } },
  },
  {
    name: 'canary, traffic doubles, and all gets 30 % slower',
    scenario: {
      ...canary,
      ...long,
      world: {
        traffic: (second) => (second > 200 ? 2 : 1),
        slower: (second) => (second > 200 ? 1.3 : 1),
      },
    },
  },
  {
    name: 'canary, 20 networks of bots that break every page',
    scenario: { ...canary, ...long, brokenNetworks: { count: 20, fromSecond: 60, toSecond: 480 } },
  },
  {
    name: 'canary at 50 %, one network where every page breaks',
    scenario: {
      ...canary,
      ...long,
      share: 0.5,
      faults: 0.02,
      brokenNetworks: { count: 1, fromSecond: 0, toSecond: 600 },
    },
  },
  {
    name: 'canary, another remote fails: 30 % of the views of half of the pages',
    scenario: { ...canary, ...long, world: { faults: outage } },
  },
  {
    name: 'canary, LCP and INP drift by 30 % a day',
    scenario: { ...canary, ...long, world: { slower: drift(0.3) } },
  },
  {
    name: 'release, 2 % as in the record, LCP and INP drift by 15 % a day',
    scenario: { ...release, ...long, faults: 0.02, world: { slower: drift(0.15) } },
  },
  {
    name: 'release, traffic doubles, 8 networks of bots that break every page',
    scenario: {
      ...release,
      ...long,
      world: { traffic: () => 2 },
      brokenNetworks: { count: 8, fromSecond: 60, toSecond: 480 },
    },
  },
];

const percent = (part: number) => `${(part * 100).toFixed(part > 0.999 || part === 0 ? 0 : 1)} %`;
/** The rows beyond their limit. */
const failed: string[] = [];

function badRow({ name, scenario, withinSeconds, promised }: Bad): string[] {
  const from = scenario.worse?.fromSecond ?? 0;
  const times = Array.from(
    { length: RUNS },
    (_, run) => (simulate(scenario, run + 1).bad ?? Infinity) - from,
  ).sort((a, b) => a - b);
  const at = (part: number) => String(times[Math.floor(part * RUNS)] ?? '–').replace('Infinity', '–');
  const within = times.filter((seconds) => seconds <= withinSeconds - from).length / RUNS;
  // The last of them may be late: the time to a verdict has no upper end.
  if (promised && within < 0.99) failed.push(name);
  return [name, at(0.5), at(0.95), String(withinSeconds - from), percent(within)];
}

function fineRow({ name, scenario }: (typeof fine)[number]): string[] {
  const runs = Array.from({ length: RUNS }, (_, run) => simulate(scenario, run + 1));
  const ended = runs.filter((run) => run.bad !== undefined).length;
  if (ended / RUNS > FALSE_ALARMS[scenario.against]) failed.push(name);
  const good = runs.map((run) => run.good ?? Infinity).sort((a, b) => a - b)[RUNS / 2];
  return [name, String(ended), good === undefined || good === Infinity ? '–' : `${good}`];
}

function fairRow(faults: number): string[] {
  const games = Array.from({ length: FAIR_RUNS }, (_, run) => fairGame(faults, run + 1));
  const reached = (level: number) => games.filter((most) => most >= Math.log(level)).length / FAIR_RUNS;
  if ([10, 100, 1_000].some((level) => reached(level) > 1 / level))
    failed.push(`the bound, with ${percent(faults)} of faults`);
  return [percent(faults), ...[10, 100, 1_000].map((level) => `${(reached(level) * 100).toFixed(3)} %`)];
}

const text = [
  `${RUNS.toLocaleString('en-US')} simulated releases for each row, 20 page views a second on ${ROUTES} pages, ` +
    'seeded (`npm run bench:guard`). LCP is told by 60 % of the views, INP by half of them, both when the view ends (after 30 s ' +
    'on average); both vary by a factor of e^0.5 between visits. A release is compared with a record of 24 hours.',
  table(
    ['what is bad', 'median, s', '95th of 100, s', 'limit, s', 'within it'],
    bad.map((each) => badRow(each)),
  ),
  table(
    [
      `nothing is bad, ten minutes, ${FEWER} pages`,
      `ended, of ${RUNS.toLocaleString('en-US')}`,
      'found good after, median, s',
    ],
    fine.map((each) => fineRow(each)),
  ),
  `The bound itself: ${FAIR_RUNS.toLocaleString('en-US')} comparisons of one page whose judged version fails exactly as often as is tolerated, ` +
    'looked at after each block. By theory the evidence reaches 10, 100 and 1,000 in at most 10, 1 and 0.1 % of them.',
  table(
    ['faults of the control', 'reaches 10', 'reaches 100', 'reaches 1,000'],
    [0.001, 0.02, 0.25].map((faults) => fairRow(faults)),
  ),
].join('\n\n');
process.stdout.write(`${text}\n`);
if (asked === undefined) await keepSection('docs/benchmarks.md', 'The guard', text);
if (failed.length > 0) {
  process.stderr.write(`Beyond the limit: ${failed.join('; ')}.\n`);
  process.exitCode = 1;
}
