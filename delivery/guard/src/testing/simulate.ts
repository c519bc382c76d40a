/**
 * Visitors of a release that is judged: page views on many routes, of the judged version and of the live one at the same time (or
 * of a record before it), with what goes wrong in the world meanwhile. It makes the sums that edges would send, every two seconds.
 */
import { startComparison, type Answers, type ComparisonPlan, type Sum } from '../comparison.ts';
import type { Engine } from '../engines.ts';
import type { Count } from '../evidence.ts';
import { judge } from '../judge.ts';
import { limitOf, questions, type Against, type Question } from '../questions.ts';
import { verdictOf, type Verdict } from '../verdict.ts';
import { seededRandom, type Random } from './seeded-random.ts';

export interface Scenario {
  against: Against;
  /** The part of the visitors who see the judged version. */
  share: number;
  viewsPerSecond: number;
  /** How much each route is visited, in parts of 1. */
  routes: readonly number[];
  seconds: number;
  /** How often sums arrive: 2 unless told. What is found does not depend on it, how soon does; the simulation is faster with long ones. */
  sumSeconds?: number;
  /** Engines of the visitors, in parts of 1 (default: unknown). WebKit reports the time to interactive and no other time. */
  engines?: Partial<Record<Engine, number>>;
  /** How often a view has a fault whatever the version: at its start, and again as often later. */
  faults: number;
  /** What the judged version is worse in, and since when. */
  worse?: {
    /** Only in this engine. */
    engine?: Engine;
    /** By route: how many more of the views have a fault at their start, in parts of 1. */
    faults?: readonly number[];
    /** How many more have one later. */
    lateFaults?: number;
    /** 1.3: LCP is 30 % worse. */
    lcp?: number;
    inp?: number;
    interactive?: number;
    /** Its views come from `of` networks: the failing ones have a fault in every view, the others none. */
    networks?: { failing: number; of: number };
    fromSecond?: number;
  };
  /** What happens to visitors of both versions. */
  world?: {
    traffic?: (second: number) => number;
    /** 1.2: LCP and INP take a fifth longer. */
    slower?: (second: number) => number;
    /** How many more views have a fault, by route. */
    faults?: (second: number, route: number) => number;
  };
  /** Networks with one visitor each, who has a fault in every view, on every route, as often as the edge counts a network. */
  brokenNetworks?: { count: number; fromSecond: number; toSecond: number };
  /**
   * This part of the visitors, of both versions, have a browser in which every page breaks. Each comes once, from a network of its own, and
   * opens a page `views` times within one sum: that makes `views` answers, which are not independent.
   */
  brokenBrowsers?: { part: number; views: number };
}

export interface Run {
  /** When the guard has acted, in seconds, for the version was found bad. */
  bad: number | undefined;
  /** When it was first found good. */
  good: number | undefined;
  last: Verdict;
}

/** The deviation of the logarithm of LCP and INP between visits. */
const SIGMA = 0.5;
/** The mean length of a view: LCP and INP are known at its end. */
const VIEW_SECONDS = 30;
const TELLS: Record<'lcp' | 'inp' | 'interactive' | 'form', number> = {
  lcp: 0.6,
  inp: 0.5,
  interactive: 0.9,
  form: 0.01,
};
const tells = (engine: Engine, question: keyof typeof TELLS) =>
  question === 'form' || (engine === 'webkit') === (question === 'interactive') ? TELLS[question] : 0;
const FORMS_FAIL = 0.01;
/** How many answers of one network the edge counts in a minute, on one route, to one question. */
const ANSWERS_A_MINUTE = 3;
const NETWORKS = Array.from({ length: 4_000 }, (_, index) => `n${index}`);
/** How long the record is. */
const RECORD_SECONDS = 24 * 3_600;
const Z75 = 0.674_489_750_196_081_7;

/** A later stretch is of views that last longer than this. */
const FIRST_STRETCH_SECONDS = 5;
/**
 * Each stretch of a view is counted when the view is a second older than the stretch can be, whatever it says and whenever it was reported.
 * Measurements are reported when the view ends.
 */
const COUNTED_AFTER: Record<Question, number> = {
  fault: 6,
  'late-fault': 31,
  form: 0,
  lcp: 0,
  inp: 0,
  interactive: 0,
};
/** How often the guard looks: what was found may wait this long. */
const LOOK_SECONDS = 2;

/** One version on one route: views that are still open. */
interface Views {
  unfinished: number;
}

type Said = Record<Question, Count>;

export function simulate(scenario: Scenario, seed: number): Run {
  const random = seededRandom(seed);
  const names = scenario.routes.map((_, index) => `/route-${index}`);
  const engines = Object.entries(scenario.engines ?? { unknown: 1 }) as [Engine, number][];
  const strata = names.flatMap((name, route) =>
    engines.map(([engine, part], index) => ({
      route,
      name,
      engine,
      part,
      isFirst: index === 0,
      views: { judged: empty(), control: empty() },
    })),
  );
  let comparison = startComparison(planOf(scenario, names, random));
  const broken = Array.from({ length: scenario.brokenNetworks?.count ?? 0 }, (_, index) => ({
    name: `broken-${index}`,
    judged: random.next() < scenario.share,
  }));
  let good: number | undefined;
  let last: Verdict = verdictOf(comparison);
  const step = scenario.sumSeconds ?? 2;
  /** Sums that are counted later, by the second. */
  const waiting = new Map<number, Sum[]>();
  for (let second = 0; second < scenario.seconds; second += step) {
    const sums = strata.flatMap((stratum) =>
      sumsOf(scenario, random, { ...stratum, second, broken: stratum.isFirst ? broken : [] }),
    );
    for (const sum of sums) {
      const at = second + Math.ceil(COUNTED_AFTER[sum.question] / step) * step;
      const others = waiting.get(at);
      if (others) others.push(sum);
      else waiting.set(at, [sum]);
    }
    comparison = judge(comparison, waiting.get(second) ?? []);
    waiting.delete(second);
    last = verdictOf(comparison);
    if (last.is === 'bad') return { bad: second + step + LOOK_SECONDS, good, last };
    if (last.is === 'good') good ??= second + step;
  }
  return { bad: undefined, good, last };
}

const empty = (): Views => ({ unfinished: 0 });

/** One route in one engine at one time. */
interface Step {
  second: number;
  route: number;
  name: string;
  engine: Engine;
  /** Of the visitors. */
  part: number;
  views: { judged: Views; control: Views };
  broken: readonly { name: string; judged: boolean }[];
}

function sumsOf(
  scenario: Scenario,
  random: Random,
  { second, route, name, engine, part, views, broken }: Step,
): Sum[] {
  const { world, worse, brokenNetworks, brokenBrowsers, against, share, sumSeconds: seconds = 2 } = scenario;
  const isWorse = worse && second >= (worse.fromSecond ?? 0) && (worse.engine ?? engine) === engine;
  const now = isWorse ? worse : undefined;
  const slower = world?.slower?.(second) ?? 1;
  const faults = scenario.faults + (world?.faults?.(second, route) ?? 0);
  const traffic = scenario.viewsPerSecond * seconds * (world?.traffic?.(second) ?? 1);
  const coming = traffic * (scenario.routes[route] ?? 0) * part;
  const arriving = coming * (1 - (brokenBrowsers?.part ?? 0));
  const limits = limitOf(1, against);
  const judged = say(
    random,
    views.judged,
    { engine, seconds, arriving: arriving * share },
    {
      fault: faults + (now?.faults?.[route] ?? 0),
      'late-fault': faults + (now?.lateFaults ?? 0),
      lcp: above(limits.judged, slower * (now?.lcp ?? 1)),
      inp: above(limits.judged, slower * (now?.inp ?? 1)),
      interactive: above(limits.judged, slower * (now?.interactive ?? 1)),
    },
  );
  if (now?.networks) judged.fault = { views: judged.fault.views, yes: 0 };
  const visitors = visitorsOf(random, judged.fault.views, now?.networks);
  const control =
    against === 'record'
      ? undefined
      : say(
          random,
          views.control,
          { engine, seconds, arriving: arriving * (1 - share) },
          {
            fault: faults,
            'late-fault': faults,
            lcp: above(limits.control, slower),
            inp: above(limits.control, slower),
            interactive: above(limits.control, slower),
          },
        );
  const during =
    brokenNetworks && second >= brokenNetworks.fromSecond && second < brokenNetworks.toSecond ? broken : [];
  const brings = during.filter(() => random.next() < Math.min(1, (ANSWERS_A_MINUTE * seconds) / 60));
  /** The networks of the broken browsers that show one version: each once for each of its answers. */
  const breaking = (of: number) => {
    if (!brokenBrowsers) return [];
    const { part: broken, views: each } = brokenBrowsers;
    const visiting = someNetworks(random, random.poisson((coming * of * broken) / each));
    return visiting.flatMap((network) => Array.from({ length: each }, () => network));
  };
  const broke = { judged: breaking(share), control: control ? breaking(1 - share) : [] };
  const sums: Sum[] = [];
  for (const question of questions) {
    const ofBroken = question === 'fault' ? brings : [];
    const mine = ofBroken.filter((network) => network.judged).map((network) => network.name);
    const theirs =
      (control ? ofBroken.length - mine.length : 0) + (question === 'fault' ? broke.control.length : 0);
    if (question === 'fault') mine.push(...broke.judged);
    const { views: asked, yes } = judged[question];
    const few = question === 'fault' ? visitors : undefined;
    const other = control?.[question] ?? { views: 0, yes: 0 };
    if (asked + mine.length + other.views + theirs === 0) continue;
    sums.push({
      route: name,
      engine,
      question,
      judged: {
        views: asked + mine.length,
        yes: yes + (few?.yesFrom.length ?? 0) + mine.length,
        networks: (few?.from.length ?? asked) + new Set(mine).size,
        from: few?.from ?? someNetworks(random, Math.min(asked, 2)),
        yesFrom: [...(few?.yesFrom ?? someNetworks(random, yes)), ...mine],
      },
      control: answers(other.views + theirs, other.yes + theirs),
    });
  }
  return sums;
}

const answers = (views: number, yes: number): Answers => ({ views, yes, networks: views });

/** The networks that the views come from, and those of the views that failed. */
function visitorsOf(random: Random, views: number, networks: { failing: number; of: number } | undefined) {
  if (!networks) return undefined;
  const visitors = Array.from({ length: views }, () => Math.floor(random.next() * networks.of));
  const names = (of: number[]) => of.map((visitor) => `visitor-${visitor}`);
  return {
    from: [...new Set(names(visitors))],
    yesFrom: names(visitors.filter((visitor) => visitor < networks.failing)),
  };
}

/** Some that follow each other in the list: each is as likely as any other, and none comes twice. */
function someNetworks(random: Random, count: number): string[] {
  const from = Math.floor(random.next() * (NETWORKS.length - count));
  return NETWORKS.slice(from, from + count);
}

/** What one version's views on one route say in two seconds. */
function say(
  random: Random,
  views: Views,
  { engine, seconds, arriving }: { engine: Engine; seconds: number; arriving: number },
  rate: Record<Exclude<Question, 'form'>, number>,
): Said {
  const started = random.poisson(arriving);
  const lasting = random.binomial(started, Math.exp(-FIRST_STRETCH_SECONDS / VIEW_SECONDS));
  const ended = random.binomial(views.unfinished, 1 - Math.exp(-seconds / VIEW_SECONDS));
  const some = (question: keyof typeof TELLS, p: number): Count => {
    const count = random.binomial(ended, tells(engine, question));
    return { views: count, yes: random.binomial(count, p) };
  };
  views.unfinished += started - ended;
  return {
    fault: { views: started, yes: random.binomial(started, Math.min(1, rate.fault)) },
    'late-fault': { views: lasting, yes: random.binomial(lasting, rate['late-fault']) },
    lcp: some('lcp', rate.lcp),
    inp: some('inp', rate.inp),
    interactive: some('interactive', rate.interactive),
    form: some('form', FORMS_FAIL),
  };
}

/** How often a time is above `limit`, both in units of the p75 of the record, when everything takes `slower` times as long. */
const above = (limit: number, slower: number) => 1 - normal(Z75 + Math.log(limit / slower) / SIGMA);

/** The normal distribution (Abramowitz, Stegun: Handbook of mathematical functions, 26.2.17; wrong by less than 1e-7). */
function normal(z: number): number {
  if (z < 0) return 1 - normal(-z);
  const t = 1 / (1 + 0.231_641_9 * z);
  const tail = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce(
    (sum, factor) => sum * t + factor,
    0,
  );
  return 1 - (t * tail * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

function planOf(scenario: Scenario, names: string[], random: Random): ComparisonPlan {
  const plan: ComparisonPlan = { against: scenario.against, apps: 1, routes: names };
  if (scenario.against === 'live') return plan;
  const engines = Object.entries(scenario.engines ?? { unknown: 1 }) as [Engine, number][];
  const recordOf = (question: Question, rate: number) =>
    Object.fromEntries(
      names.map((name, route) => {
        const coming = scenario.viewsPerSecond * RECORD_SECONDS * (scenario.routes[route] ?? 0);
        const counts = engines.map(([engine, part]) => {
          const told = question === 'fault' || question === 'late-fault' ? 1 : tells(engine, question);
          const views = random.poisson(coming * part * told);
          return [engine, { views, yes: random.binomial(views, rate) }];
        });
        return [name, Object.fromEntries(counts) as Partial<Record<Engine, Count>>];
      }),
    );
  const broken = scenario.brokenBrowsers?.part ?? 0;
  return {
    ...plan,
    record: {
      fault: recordOf('fault', scenario.faults * (1 - broken) + broken),
      'late-fault': recordOf('late-fault', scenario.faults),
      form: recordOf('form', FORMS_FAIL),
      lcp: recordOf('lcp', 0.25),
      inp: recordOf('inp', 0.25),
      ...(scenario.engines && { interactive: recordOf('interactive', 0.25) }),
    },
    seen: Object.fromEntries(names.map((name) => [name, engines.map(([engine]) => engine)])),
  };
}
