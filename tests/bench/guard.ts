/**
 * `npm run bench:guard`: how soon the guard ends a bad version, and how often a good one: in simulated releases with
 * fixed seeds, which give the same figures on every machine, and with 200 visitors of a real site. Exits with 1 above a
 * limit. Prints tables and saves them in `docs/benchmarks.md`. `simulated`, `owner`, `address`, `browsers` and `canary` select
 * one part.
 */
import { FALSE_ALARMS } from '@site/guard/comparison';
import { fairGame } from '@site/guard/testing/fair-game';
import { simulate, type Scenario } from '@site/guard/testing/simulate';
import { startPostgres } from '@site/server/testing/start-postgres';
import { changeBrowserMix, type Outcome } from '../guard/browser-mix.ts';
import { attackByOneAddress, attacks } from '../guard/one-address.ts';
import { startThrowingCanary } from '../e2e/harness/throwing-canary.ts';
import { keepSection } from './keep-section.ts';
import { median, quantile } from './quantile.ts';
import { askedParts } from './run-parts.ts';
import { table } from './table.ts';

/** `npm run bench:guard -- simulated 200` is a short run, which is not saved. */
const [asked, fewer] = process.argv.slice(2);
const RUNS = fewer === undefined ? 2_000 : Number(fewer);
const FAIR_RUNS = 20_000;
const ROUTES = 17;
const all = (rate: number) => Array.from({ length: ROUTES }, () => rate);
const evenly = all(1 / ROUTES);
/** One page with a fifth of all views. */
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

/** A daily sine wave close to its steepest point, an hour into its slow half. */
const drift = (by: number) => (second: number) =>
  1 + by * Math.sin((2 * Math.PI * (second + 3_600)) / 86_400);
const outage = (second: number, route: number) => (second > 120 && second < 420 && route < 3 ? 0.3 : 0);

interface Bad {
  name: string;
  scenario: Scenario;
  withinSeconds: number;
  /** The limit for the median. */
  medianSeconds?: number;
  /** Otherwise the figure has no limit. */
  promised: boolean;
}

const bad: Bad[] = [
  ...[
    { of: 'canary, 10 %', base: canary },
    { of: 'release', base: release },
  ].flatMap(({ of, base }) => {
    // Canaries only: a record requires twenty networks and excludes the first seconds.
    const half = base.against === 'live' ? { medianSeconds: 20 } : {};
    // A record settles after a number of sums (`settlesAfterSums`), so long sums would delay it.
    const slow = { ...base, seconds: 900, sumSeconds: base.against === 'record' ? 4 : 15 };
    const rare = { ...base, sumSeconds: 4 };
    return [
      {
        name: `${of}: all pages throw`,
        scenario: { ...base, worse: { faults: all(1) } },
        withinSeconds: 60,
        ...half,
        promised: true,
      },
      {
        name: `${of}: one page throws, with a fifth of the views`,
        scenario: { ...base, routes: popular, worse: { faults: first(1) } },
        withinSeconds: 60,
        ...half,
        promised: true,
      },
      {
        name: `${of}: one page throws, with a 17th of the views`,
        scenario: { ...base, worse: { faults: first(1) } },
        withinSeconds: 60,
        ...half,
        promised: base.against === 'record',
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
        // The limit applies to the row above; this one is the same, but counted when the view ends.
        promised: base.against === 'record',
      },
      {
        name: `${of}: all pages throw in Safari, which a tenth of the visitors have`,
        scenario: {
          ...rare,
          engines: { chromium: 0.75, gecko: 0.15, webkit: 0.1 },
          worse: { engine: 'webkit' as const, faults: all(1) },
        },
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

const percent = (part: number) => `${(part * 100).toFixed(part > 0.999 || part === 0 ? 0 : 1)} %`;

/** Fewer pages and longer sums make it faster. The false alarm rate does not depend on either. */
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
  ...[0.003, 0.01, 0.03].map((part) => ({
    name: `canary, every page breaks in the browsers of ${percent(part)} of the visitors, who open three`,
    scenario: { ...canary, ...long, brokenBrowsers: { part, views: 3 } },
  })),
  {
    name: `canary at 50 %, the same with ${percent(0.03)} of the visitors`,
    scenario: { ...canary, ...long, share: 0.5, brokenBrowsers: { part: 0.03, views: 3 } },
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
    name: `release, every page breaks in the browsers of ${percent(0.03)} of the visitors, who open three`,
    scenario: { ...release, ...long, brokenBrowsers: { part: 0.03, views: 3 } },
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

/**
 * Too few networks fail for a verdict. The guard caps their contribution, which must not count in favor of the version.
 */
const some: typeof fine = [
  {
    name: 'canary, 3 of its 30 networks fail in every view',
    scenario: { ...canary, ...long, worse: { networks: { failing: 3, of: 30 } } },
  },
  {
    name: 'release, 19 of its 40 networks fail in every view',
    scenario: { ...release, ...long, worse: { networks: { failing: 19, of: 40 } } },
  },
].map(({ name, scenario }) => ({ name, scenario: { ...scenario, seconds: 3_600 } }));

/** The rows above their limit. */
const failed: string[] = [];

const told = (seconds: number) => (seconds === Infinity ? '–' : String(seconds));

function badRow({ name, scenario, withinSeconds, medianSeconds = Infinity, promised }: Bad): string[] {
  const from = scenario.worse?.fromSecond ?? 0;
  const times = Array.from(
    { length: RUNS },
    (_, run) => (simulate(scenario, run + 1).bad ?? Infinity) - from,
  );
  const within = times.filter((seconds) => seconds <= withinSeconds - from).length / RUNS;
  // The last one may be late: the time to a verdict has no upper bound.
  const isKept = within >= 0.99 && median(times) <= medianSeconds;
  if (promised && !isKept) failed.push(name);
  return [
    name,
    told(median(times)),
    told(medianSeconds),
    told(quantile(times, 0.95)),
    told(withinSeconds - from),
    percent(within),
    isKept ? 'yes' : 'no',
  ];
}

function fineRow({ name, scenario }: (typeof fine)[number]): string[] {
  const runs = Array.from({ length: RUNS }, (_, run) => simulate(scenario, run + 1));
  const ended = runs.filter((run) => run.bad !== undefined).length;
  if (ended / RUNS > FALSE_ALARMS[scenario.against]) failed.push(name);
  return [name, String(ended), told(median(runs.map((run) => run.good ?? Infinity)))];
}

function someRow({ name, scenario }: (typeof some)[number]): string[] {
  const runs = Array.from({ length: RUNS }, (_, run) => simulate(scenario, run + 1));
  const count = (is: (run: (typeof runs)[number]) => boolean) => runs.filter(is).length;
  const good = count((run) => run.good !== undefined);
  if (good > 0) failed.push(name);
  const suspected = count(({ last }) => last.is === 'waiting' && last.suspected !== undefined);
  return [name, String(count((run) => run.bad !== undefined)), String(good), String(suspected)];
}

function fairRow(faults: number): string[] {
  const games = Array.from({ length: FAIR_RUNS }, (_, run) => fairGame(faults, run + 1));
  const reached = (level: number) => games.filter((most) => most >= Math.log(level)).length / FAIR_RUNS;
  if ([10, 100, 1_000].some((level) => reached(level) > 1 / level))
    failed.push(`the bound, with ${percent(faults)} of faults`);
  return [percent(faults), ...[10, 100, 1_000].map((level) => `${(reached(level) * 100).toFixed(3)} %`)];
}

function simulated(): string {
  return [
    `${RUNS.toLocaleString('en-US')} simulated releases per row, 20 page views a second on ${ROUTES} pages, seeded ` +
      '(`npm run bench:guard`). 60 % of the views report LCP, half of them INP, both when the view ends (after 30 s on average); ' +
      'both vary by a factor of e^0.5. A release is compared with a baseline of 24 hours. All delays of collection are included.',
    table(
      ['defect', 'median, s', 'limit, s', 'p95, s', 'limit, s', 'within it', 'met'],
      bad.map((each) => badRow(each)),
    ),
    table(
      [
        `no defect, ten minutes, ${FEWER} pages`,
        `ended, of ${RUNS.toLocaleString('en-US')}`,
        'found good after, median, s',
      ],
      fine.map((each) => fineRow(each)),
    ),
    table(
      ['some networks fail, an hour', 'ended', 'ever found good', 'suspected in the end'],
      some.map((each) => someRow(each)),
    ),
    `The statistical bound: ${FAIR_RUNS.toLocaleString('en-US')} comparisons of one page in equal versions. In theory the evidence ` +
      'reaches 10, 100 and 1,000 in at most 10 %, 1 % and 0.1 % of them.',
    table(
      ['faults of the control', 'reaches 10', 'reaches 100', 'reaches 1,000'],
      [0.001, 0.02, 0.25].map((faults) => fairRow(faults)),
    ),
  ].join('\n\n');
}

const CANARIES = 3;
const CANARY_SECONDS = 60;

/**
 * The scenario of `tests/e2e/throwing-canary.test.ts`, timed: real servers, real documents, real reports, three
 * browsers.
 */
async function canaries(): Promise<string> {
  const postgres = await startPostgres();
  process.env['TEST_POSTGRES'] = postgres.url;
  const rows: string[][] = [];
  try {
    for (let run = 1; run <= CANARIES; run += 1) {
      const canary = await startThrowingCanary();
      try {
        const { seconds, meanwhile } = await canary.run();
        if (seconds.ended > CANARY_SECONDS)
          failed.push(`a real canary was ended after ${seconds.ended.toFixed(1)} s`);
        const bad = meanwhile.canary.flat().filter(({ shows }) => shows === 'after');
        rows.push([String(run), seconds.ended.toFixed(1), seconds.everywhere.toFixed(1), String(bad.length)]);
      } finally {
        await canary.stop();
      }
    }
  } finally {
    await postgres.stop();
  }
  return [
    'A version that throws at a click is put on a canary of 10 % and left alone (`npm run bench:guard -- canary`): two edges, a registry and ' +
      'PostgreSQL on one machine, 400 visitors who open 20 pages a second, half of them /blocks, where every second one of the ' +
      `canary's presses the button; each from a separate network. Since every edge showed it; the limit is ${CANARY_SECONDS} s.`,
    table(['run', 'ended after, s', 'left by every edge after, s', 'views of it'], rows),
  ].join('\n\n');
}

const ATTACKED_VIEWS = [60, 120, 300, 600];
const ATTACKED_MINUTES = 60;

async function oneAddress(): Promise<string> {
  const rows: string[][] = [];
  for (const against of ['live', 'record'] as const)
    for (const attack of attacks) {
      const row = [`${against === 'live' ? 'canary, 50 %' : 'release'}: ${attack}`];
      for (const viewsPerMinute of ATTACKED_VIEWS) {
        const attacked = { against, attack, viewsPerMinute, minutes: ATTACKED_MINUTES, seed: 1 };
        const { ended, isSuspected } = await attackByOneAddress(attacked);
        if (ended !== undefined) failed.push(`${row[0]}, ${viewsPerMinute} views a minute`);
        row.push(ended === undefined ? `no${isSuspected ? ', suspected' : ''}` : `after ${ended} s`);
      }
      rows.push(row);
    }
  return [
    'Two equal versions, an hour each, and one address that sends more reports than any limit counts: is the version ended? Honest visitors of 3,000 ' +
      'networks open two pages. Real counters of an edge, what the registry reads from them, and the guard, seeded (`npm run bench:guard -- address`). Of a ' +
      'release the guard may act all hour long here, not for ten minutes only. "all of them" also sends good reports of the live version. Suspected: in the end the ' +
      'version is not good, and the stages of a canary wait.',
    table(['what the address reports', ...ATTACKED_VIEWS.map((views) => `${views} views/min`)], rows),
  ].join('\n\n');
}

const MIX = { viewsPerMinute: 60, minutes: 10 };
const MIX_RUNS = Math.ceil(RUNS / 2);
const ONE_ENGINE_RUNS = Math.min(RUNS, 20);

async function browserMix(): Promise<string> {
  const alarms: string[][] = [];
  const found: string[][] = [];
  for (const against of ['live', 'record'] as const) {
    const of = against === 'live' ? 'canary, 50 %' : 'release';
    let ended = 0;
    for (let seed = 1; seed <= MIX_RUNS; seed++) {
      const safari = (minute: number) => (minute < 1 ? 0.1 : 0.4);
      const run = await changeBrowserMix({ ...MIX, against, safari, seed });
      if (run.ended !== undefined) ended++;
    }
    if (ended / MIX_RUNS > FALSE_ALARMS.live) failed.push(`${of}: another mix of browsers`);
    alarms.push([of, String(ended)]);
    for (const failsIn of ['webkit', 'gecko', 'chromium'] as const) {
      const runs: Outcome[] = [];
      for (let seed = 1; seed <= ONE_ENGINE_RUNS; seed++)
        runs.push(
          await changeBrowserMix({ ...MIX, viewsPerMinute: 600, against, safari: () => 0.1, failsIn, seed }),
        );
      const views = runs.map((run) => (run.ended === undefined ? Infinity : run.views));
      const isNamed = ({ verdict }: Outcome) =>
        verdict.is === 'bad' && verdict.evidence.only === true && verdict.evidence.engine === failsIn;
      found.push([
        `${of}: ${failsIn}`,
        told(median(views)),
        told(quantile(views, 0.95)),
        percent(runs.filter(isNamed).length / runs.length),
      ]);
    }
  }
  return [
    `${MIX_RUNS.toLocaleString('en-US')} simulations each, ten minutes, a view a second of two pages, two equal versions: the visitors with Safari become 40 % ` +
      'instead of 10 % after a minute. In Safari 15 % of the views fail whatever the version (0.2 % elsewhere), 6 % of the forms (2 %), and all takes 1.7 times ' +
      'as long. Real counters of an edge, what the registry reads from them, and the guard, seeded (`npm run bench:guard -- browsers`).',
    table(['the mix of browsers changes', `ended, of ${MIX_RUNS.toLocaleString('en-US')}`], alarms),
    `Every view fails in one engine of the judged version, at ten views a second (${ONE_ENGINE_RUNS} simulations each): Safari has 10 % of the visitors, Firefox 18 %. ` +
      'Views of the judged version, of all engines, until it is found bad.',
    table(['fails in', 'median, views', '95th of 100, views', 'named as the only engine'], found),
  ].join('\n\n');
}

const OWNED = [14, 26, 50, 100];
const OWNER_RUNS = Math.min(RUNS, 200);
/** At the start, when few others have been there, and later. */
const OWNER_STARTS = [0, 40, 300];

function ownerRow(base: Pick<Scenario, 'against' | 'share' | 'viewsPerSecond'>): string[] {
  const { against, share, viewsPerSecond } = base;
  const name = against === 'live' ? `canary, ${percent(share)}` : 'release';
  const ended = OWNED.map((networks) => {
    const times = OWNER_STARTS.flatMap((fromSecond) =>
      Array.from({ length: OWNER_RUNS }, (_, run) => {
        const attack = { networks, route: 0, fromSecond };
        const scenario = { ...canary, ...base, seconds: 3_600, sumSeconds: 10, routes: long.routes, attack };
        return (simulate(scenario, run + 1).bad ?? Infinity) - fromSecond;
      }),
    );
    const count = times.filter((seconds) => seconds !== Infinity).length;
    if (networks <= 50 && count > times.length / 100)
      failed.push(`${name}, ${viewsPerSecond} views a second, an owner of ${networks} networks`);
    return count === 0
      ? 'never'
      : `${percent(count / times.length)}, after ${told(quantile(times, count / times.length / 2))} s`;
  });
  return [name, String(viewsPerSecond), ...ended];
}

function owners(): string {
  return [
    'One owner of many networks reports a fault of an equal version from each, on one of ' +
      `${FEWER} pages, for an hour (\`npm run bench:guard -- owner\`): ${OWNER_RUNS} simulations each for attacks that begin ` +
      `${OWNER_STARTS.join(', ')} s after the version. Edges assign the networks to the sides of a canary. ` +
      'Wrongly ended versions, and the median time until then:',
    table(
      ['version', 'views a second', ...OWNED.map((networks) => `${networks} networks`)],
      [
        { against: 'live' as const, share: 0.01 },
        { against: 'live' as const, share: 0.1 },
        { against: 'live' as const, share: 0.5 },
        { against: 'record' as const, share: 1 },
      ].flatMap((base) => [20, 2, 0.2].map((viewsPerSecond) => ownerRow({ ...base, viewsPerSecond }))),
    ),
  ].join('\n\n');
}

const parts: Record<string, { heading: string; run: () => string | Promise<string> }> = {
  simulated: { heading: 'The guard', run: simulated },
  owner: { heading: 'The guard, and an owner of many networks', run: owners },
  address: { heading: 'The guard, and one address', run: oneAddress },
  browsers: { heading: 'The guard, and another mix of browsers', run: browserMix },
  canary: { heading: 'The guard, on a real canary', run: canaries },
};
for (const [, { heading, run }] of askedParts(parts, asked === undefined ? [] : [asked])) {
  const text = await run();
  process.stdout.write(`${text}\n\n`);
  if (fewer === undefined) await keepSection('docs/benchmarks.md', heading, text);
}
if (failed.length > 0) {
  process.stderr.write(`Beyond the limit: ${failed.join('; ')}.\n`);
  process.exitCode = 1;
}
