/**
 * Simulates the visitors of a judged release: page views on many routes, of the judged version and of a simultaneous
 * live version or a previous record, including external disturbances. Produces the batches that edges send every two
 * seconds.
 */
import { startComparison, type Answers, type ComparisonPlan, type Sum } from '../comparison.ts';
import type { Engine } from '../engines.ts';
import type { Count } from '../evidence.ts';
import { judge } from '../judge.ts';
import { slowLimits, questions, type Against, type Question } from '../questions.ts';
import { evaluate, type Verdict } from '../verdict.ts';
import { seededRandom, type Random } from './seeded-random.ts';

export interface Scenario {
  against: Against;
  share: number;
  viewsPerSecond: number;
  routes: readonly number[];
  seconds: number;
  /**
   * Batch interval in seconds, 2 by default. It affects the time of detection, not the verdict; longer ones simulate
   * faster.
   */
  sumSeconds?: number;
  /** Share of the visitors per engine (default: all `other`). WebKit reports only the time to interactive. */
  engines?: Partial<Record<Engine, number>>;
  /** Base fault rate of views in both versions: at the start, and again later. */
  faults: number;
  /** The regressions of the judged version, and their start. */
  worse?: {
    engine?: Engine;
    /** By route: additional rate of views with a fault at the start. */
    faults?: readonly number[];
    lateFaults?: number;
    lcp?: number;
    inp?: number;
    interactive?: number;
    /** Its views come from `of` networks. The failing ones have a fault in every view, the others none. */
    networks?: { failing: number; of: number };
    fromSecond?: number;
  };
  /** Disturbances of both versions. */
  world?: {
    traffic?: (second: number) => number;
    /** 1.2: LCP and INP take a fifth longer. */
    slower?: (second: number) => number;
    /** Additional fault rate, by route. */
    faults?: (second: number, route: number) => number;
  };
  /**
   * Networks with one visitor each, who has a fault in every view on every route, up to the edge's limit per network.
   */
  brokenNetworks?: { count: number; fromSecond: number; toSecond: number };
  /**
   * One owner of networks reports faults of the judged version on this route, and none of the control, as often as an
   * edge counts them. Edges assign each network to one side of a canary.
   */
  attack?: { networks: number; route: number; fromSecond: number };
  /**
   * Share of the visitors, in both versions, with a browser that breaks every page. Each comes once, from a separate
   * network, and opens a page `views` times within one batch: these answers are not independent.
   */
  brokenBrowsers?: { part: number; views: number };
}

export interface Run {
  bad: number | undefined;
  good: number | undefined;
  last: Verdict;
}

/** Standard deviation of log LCP and log INP between visits. */
const SIGMA = 0.5;
/** Mean duration of a view: LCP and INP are known at its end. */
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
/** The edge's limit of counted answers per network, minute, route and question. */
const ANSWERS_A_MINUTE = 3;
const NETWORKS = Array.from({ length: 4_000 }, (_, index) => `n${index}`);
/** Duration of the record. */
const RECORD_SECONDS = 24 * 3_600;
const Z75 = 0.674_489_750_196_081_7;

/** Minimum duration of views with a later stretch. */
const FIRST_STRETCH_SECONDS = 5;
/**
 * Each stretch of a view is counted one second after its maximum duration, regardless of its contents and the time of
 * the report. Measurements are reported at the end of the view.
 */
const COUNTED_AFTER: Record<Question, number> = {
  fault: 6,
  'late-fault': 31,
  form: 0,
  lcp: 0,
  inp: 0,
  interactive: 0,
};
/** The guard's interval: maximum delay of an action. */
const LOOK_SECONDS = 2;

/** A version on a route, with its open views. */
interface Views {
  unfinished: number;
}

type Said = Record<Question, Count>;

export function simulate(scenario: Scenario, seed: number): Run {
  const random = seededRandom(seed);
  const names = scenario.routes.map((_, index) => `/route-${index}`);
  const engines = Object.entries(scenario.engines ?? { other: 1 }) as [Engine, number][];
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
  let comparison = startComparison(comparisonPlan(scenario, names, random));
  const broken = Array.from({ length: scenario.brokenNetworks?.count ?? 0 }, (_, index) => ({
    name: `broken-${index}`,
    judged: random.next() < scenario.share,
  }));
  const attackers = Array.from({ length: scenario.attack?.networks ?? 0 }, (_, index) => ({
    name: `hostile-${index}`,
    judged: random.next() < scenario.share,
  }));
  let good: number | undefined;
  let last: Verdict = evaluate(comparison);
  const step = scenario.sumSeconds ?? 2;
  /** Future batches, by second. */
  const waiting = new Map<number, Sum[]>();
  for (let second = 0; second < scenario.seconds; second += step) {
    const sums = strata.flatMap((stratum) =>
      simulateSums(scenario, random, { ...stratum, second, broken: stratum.isFirst ? broken : [] }),
    );
    sums.push(...attackAt(scenario, attackers, { second, names, engine: engines[0]?.[0] ?? 'other' }));
    for (const sum of sums) {
      const at = second + Math.ceil(COUNTED_AFTER[sum.question] / step) * step;
      const others = waiting.get(at);
      if (others) others.push(sum);
      else waiting.set(at, [sum]);
    }
    comparison = judge(comparison, waiting.get(second) ?? [], {
      atMs: (second + step - COUNTED_AFTER.fault) * 1_000,
    });
    waiting.delete(second);
    last = evaluate(comparison);
    if (last.is === 'bad') return { bad: second + step + LOOK_SECONDS, good, last };
    if (last.is === 'good') good ??= second + step;
  }
  return { bad: undefined, good, last };
}

function attackAt(
  { attack, against, sumSeconds: seconds = 2 }: Scenario,
  attackers: readonly { name: string; judged: boolean }[],
  { second, names, engine }: { second: number; names: readonly string[]; engine: Engine },
): Sum[] {
  const since = second - (attack?.fromSecond ?? Infinity);
  // Their first reports at once, and further ones each minute.
  if (!attack || since < 0 || since % 60 >= seconds) return [];
  const hostile = attackers.filter(({ judged }) => judged).map(({ name }) => name);
  const flattering = against === 'live' ? attackers.length - hostile.length : 0;
  return [
    {
      route: names[attack.route] ?? '',
      engine,
      question: 'fault',
      judged: {
        views: hostile.length,
        yes: hostile.length,
        networks: hostile.length,
        from: hostile,
        yesFrom: hostile,
      },
      control: answers(flattering, 0),
    },
  ];
}

const empty = (): Views => ({ unfinished: 0 });

interface Step {
  second: number;
  route: number;
  name: string;
  engine: Engine;
  part: number;
  views: { judged: Views; control: Views };
  broken: readonly { name: string; judged: boolean }[];
}

function simulateSums(
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
  const limits = slowLimits(1, against);
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
  const visitors = countNetworks(random, judged.fault.views, now?.networks);
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
  /** The networks of the broken browsers that show one version, once per answer. */
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

/** The networks of all views, and of the failed ones. */
function countNetworks(random: Random, views: number, networks: { failing: number; of: number } | undefined) {
  if (!networks) return undefined;
  const visitors = Array.from({ length: views }, () => Math.floor(random.next() * networks.of));
  const names = (of: number[]) => of.map((visitor) => `visitor-${visitor}`);
  return {
    from: [...new Set(names(visitors))],
    yesFrom: names(visitors.filter((visitor) => visitor < networks.failing)),
  };
}

/** A random contiguous range of the list: equal probabilities without duplicates. */
function someNetworks(random: Random, count: number): string[] {
  const from = Math.floor(random.next() * (NETWORKS.length - count));
  return NETWORKS.slice(from, from + count);
}

/** Two seconds of answers of a version's views on a route. */
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

/** Rate of times above `limit` with a slowdown factor. Times are in units of the record's p75. */
const above = (limit: number, slower: number) => 1 - normal(Z75 + Math.log(limit / slower) / SIGMA);

/** Normal distribution function (Abramowitz, Stegun: Handbook of mathematical functions, 26.2.17; error below 1e-7). */
function normal(z: number): number {
  if (z < 0) return 1 - normal(-z);
  const t = 1 / (1 + 0.231_641_9 * z);
  const tail = [1.330274429, -1.821255978, 1.781477937, -0.356563782, 0.31938153].reduce(
    (sum, factor) => sum * t + factor,
    0,
  );
  return 1 - (t * tail * Math.exp((-z * z) / 2)) / Math.sqrt(2 * Math.PI);
}

function comparisonPlan(scenario: Scenario, names: string[], random: Random): ComparisonPlan {
  const rates = names.map((name, route) => [name, scenario.viewsPerSecond * (scenario.routes[route] ?? 0)]);
  const plan: ComparisonPlan = {
    against: scenario.against,
    apps: 1,
    routes: names,
    usual: { rates: Object.fromEntries(rates) as Record<string, number>, fromMs: 0 },
  };
  if (scenario.against === 'live') return plan;
  const engines = Object.entries(scenario.engines ?? { other: 1 }) as [Engine, number][];
  const trackRecord = (question: Question, rate: number) =>
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
      fault: trackRecord('fault', scenario.faults * (1 - broken) + broken),
      'late-fault': trackRecord('late-fault', scenario.faults),
      form: trackRecord('form', FORMS_FAIL),
      lcp: trackRecord('lcp', 0.25),
      inp: trackRecord('inp', 0.25),
      ...(scenario.engines && { interactive: trackRecord('interactive', 0.25) }),
    },
    seen: Object.fromEntries(names.map((name) => [name, engines.map(([engine]) => engine)])),
  };
}
