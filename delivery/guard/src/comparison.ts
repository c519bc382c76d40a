/**
 * The state of an app version's comparison with its control. Small plain JSON: it is stored in the database and updated
 * by each batch, and the past is never recomputed.
 */
import { rateBounds, type Count } from './evidence.ts';
import { allFinite, finite } from './finite.ts';
import type { Engine, NamedEngine } from './engines.ts';
import { QUESTIONS, type Against, type Bet, type Question } from './questions.ts';

export type ByEngine<T> = Readonly<Partial<Record<Engine, T>>>;

export interface ComparisonPlan {
  against: Against;
  /** Number of apps changed by the same release. They share its false alarm budget. */
  apps: number;
  /** The routes with the app: all of the release's for the shell, otherwise the remote's own. */
  routes: readonly string[];
  newRoutes?: readonly string[];
  /**
   * With a record: the previous version's answers on each route in each engine, as they would be counted now. For
   * times, how often the control's limit was exceeded. A question without a record is not judged.
   */
  record?: Partial<Record<Question, Readonly<Record<string, ByEngine<Count>>>>>;
  /**
   * With a record: the engines with enough views, by route. In all others a page is judged as new, except in `other`,
   * which is mostly robots. Absent: there was no previous version.
   */
  seen?: Readonly<Record<string, readonly Engine[]>>;
  usual?: UsualTraffic;
}

export interface UsualTraffic {
  rates: Readonly<Record<string, number>>;
  fromMs: number;
}

export interface Answers extends Count {
  networks: number;
}

/**
 * A few seconds of answers to one question on one route in one engine. Only from views that began after the comparison,
 * in both versions.
 */
export interface Sum {
  route: string;
  engine: Engine;
  question: Question;
  judged: Answers & {
    /**
     * The networks of the answers, as short texts that are the same on every edge but cannot be reversed to an address.
     * A sample is enough: `MANY_NETWORKS`.
     */
    from: readonly string[];
    /** The network of each yes answer, in the same form. An answer without one does not count. */
    yesFrom: readonly string[];
  };
  control: Answers;
}

export interface WeighedAnswers {
  judged: Count;
  /** Without yes answers of networks that have reached their limit: `admit` in `judge.ts`. */
  admitted: Count;
  control: Count;
}

/**
 * The answers to one question on one route in one engine. Answers are compared only within a stratum: engines differ in
 * usual faults and times, so a changed mix of visitors would look like a changed version.
 */
export interface Stratum {
  judged: Count;
  control: Count;
  isNew?: true;
  past: WeighedAnswers;
  open: WeighedAnswers & { sums: number };
  yesNetworks: string[];
  /** The record, and the bounds of its rate. */
  record?: { counted: Count; lower: number; upper: number };
}

/** Strata judged together, such as those of one route: each of their blocks is a bet here. */
export interface Group {
  blocks: number;
  /** The log wealth of each of the question's bets, by `admitted`. It may end a release. */
  worse: number[];
  /** The log wealth by `judged`. It may not end a release, but evidence against a version prevents a good verdict. */
  doubt: number[];
}

export interface Everywhere extends Group {
  judged: Count;
  control: Count;
  networks: string[];
  sums: number;
  /** Networks with frequent yes answers, and their counts: `admit` in `judge.ts`. */
  yesByNetwork: Record<string, number>;
  fine: number[];
}

export interface QuestionComparison {
  everywhere: Everywhere;
  routes: Record<string, Group>;
  engines: Record<NamedEngine, Group>;
  strata: Record<string, ByEngine<Stratum>>;
}

export interface Comparison {
  against: Against;
  apps: number;
  newRoutes: readonly string[];
  seen?: ComparisonPlan['seen'];
  usual?: UsualTraffic & { seconds: number };
  questions: Record<Question, QuestionComparison>;
}

/** False alarm rate per release, over all apps, routes and questions. Stricter without a simultaneous control. */
export const FALSE_ALARMS: Record<Against, number> = { live: 0.001, record: 0.0001 };

/** Minimum number of distinct networks with the fault before a release is ended. */
export const MANY_NETWORKS: Record<Against, number> = { live: 4, record: 20 };

/** Networks of one owner. Only faults from more end a release, unless nearly all of its views fail. */
export const OWNED_NETWORKS = 50;

/** Position of a "good" bet between the control's rate and the acceptable line. */
export const FINE_BETS: readonly Bet[] = [
  { part: 0, stake: 0.5 },
  { part: 0.5, stake: 0.5 },
];

/** A bet starts with this part of its stake. The rest follows later, for problems that start only after a good hour. */
const AT_ONCE = 0.8;

/** The part of a stake added after block number `block` (from 1). All parts add up to the rest after `AT_ONCE`. */
export const addedAfter = (block: number) => (1 - AT_ONCE) / (block * (block + 1));

const none = (): Count => ({ views: 0, yes: 0 });

export const unweighed = (): WeighedAnswers => ({ judged: none(), admitted: none(), control: none() });

export const plus = (a: Count, b: Count): Count => ({ views: a.views + b.views, yes: a.yes + b.yes });

export function startComparison(plan: ComparisonPlan): Comparison {
  finite(plan.apps, 'The number of apps');
  const { against, apps, newRoutes = [], seen, usual } = plan;
  const begun = {
    against,
    apps,
    newRoutes,
    ...(seen && { seen }),
    ...(usual && { usual: { ...usual, seconds: 0 } }),
  };
  const started = (question: Question): QuestionComparison => {
    const rules = QUESTIONS[question];
    const startGroup = (): Group => ({
      blocks: 0,
      worse: rules.bets.map(() => Math.log(AT_ONCE)),
      doubt: rules.bets.map(() => Math.log(AT_ONCE)),
    });
    const recorded = Object.entries((against === 'record' && plan.record?.[question]) || {}).flatMap(
      ([route, counts]) =>
        (Object.entries(counts) as [Engine, Count][])
          .filter(() => plan.routes.includes(route))
          .map(([engine, counted]) => ({
            route,
            engine,
            counted: allFinite(counted, `The record of ${route}`),
          })),
    );
    // Half of a record's false alarm budget covers wrong bounds of the record, shared like the rest.
    const doubt = (FALSE_ALARMS.record * rules.weight) / (2 * apps * Math.max(1, recorded.length));
    const strata: Record<string, Partial<Record<Engine, Stratum>>> = {};
    for (const { route, engine, counted } of recorded)
      (strata[route] ??= {})[engine] = {
        ...startStratum(begun, route, engine),
        record: { counted, ...rateBounds(counted, doubt) },
      };
    return {
      everywhere: {
        ...startGroup(),
        judged: none(),
        control: recorded.reduce((sum, { counted }) => plus(sum, counted), none()),
        networks: [],
        sums: 0,
        yesByNetwork: {},
        fine: FINE_BETS.map(() => 0),
      },
      routes: Object.fromEntries(plan.routes.map((route) => [route, startGroup()])),
      engines: { chromium: startGroup(), gecko: startGroup(), webkit: startGroup() },
      strata,
    };
  };
  return {
    ...begun,
    questions: {
      fault: started('fault'),
      'late-fault': started('late-fault'),
      form: started('form'),
      lcp: started('lcp'),
      inp: started('inp'),
      interactive: started('interactive'),
    },
  };
}

export function startStratum(
  { against, newRoutes, seen }: Pick<Comparison, 'against' | 'newRoutes' | 'seen'>,
  route: string,
  engine: Engine,
): Stratum {
  const isUnseen = seen !== undefined && engine !== 'other' && !seen[route]?.includes(engine);
  return {
    judged: none(),
    control: none(),
    past: unweighed(),
    open: { ...unweighed(), sums: 0 },
    yesNetworks: [],
    ...((isUnseen || newRoutes.includes(route)) && { isNew: true }),
    ...(against === 'record' && { record: { counted: none(), lower: 0, upper: 1 } }),
  };
}
