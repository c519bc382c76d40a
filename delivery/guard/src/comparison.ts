/**
 * What is known of one app's version beside what it is compared with: small plain JSON. It is kept in the database and changed by each
 * sum that arrives; nothing is calculated over the past again.
 */
import { boundsOf, type Count } from './evidence.ts';
import { allFinite, finite } from './finite.ts';
import type { Engine, NamedEngine } from './engines.ts';
import { QUESTIONS, type Against, type Bet, type Question } from './questions.ts';

/** One value per engine, where there is one. */
export type ByEngine<T> = Readonly<Partial<Record<Engine, T>>>;

/** What is compared, decided before the first answer. */
export interface ComparisonPlan {
  against: Against;
  /** How many apps the same release changes. They share its false alarms. */
  apps: number;
  /** Where the app may be seen: all of the release's routes for the shell, a remote's own otherwise. */
  routes: readonly string[];
  /**
   * Those of them that what it is compared with does not have, or that hardly anybody has seen there. They are judged by what
   * `QuestionRules.alone` says.
   */
  newRoutes?: readonly string[];
  /**
   * Against a record: what the app's version before it answered on each route in each engine, as it would be counted now. Of times how often
   * the control's limit was exceeded. Where there is no record, that question is not judged.
   */
  record?: Partial<Record<Question, Readonly<Record<string, ByEngine<Count>>>>>;
  /**
   * Against a record: the engines with enough views, by route. In all others a page is judged as new, except in `other`, which is mostly
   * robots. Absent: there was no version before.
   */
  seen?: Readonly<Record<string, readonly Engine[]>>;
}

/** Answers of some seconds. */
export interface Answers extends Count {
  /** How many networks (/24, /48) they came from. */
  networks: number;
}

/** What arrived in some seconds to one question on one route in one engine, of views that began after the comparison did, in both versions. */
export interface Sum {
  route: string;
  engine: Engine;
  question: Question;
  judged: Answers & {
    /**
     * The networks of the answers, as short texts that mean the same at every edge but cannot be turned back into an address. Some
     * are enough: `MANY_NETWORKS`.
     */
    from: readonly string[];
    /** The network of each answer with yes, in the same way. One that is not named does not count. */
    yesFrom: readonly string[];
  };
  /** Without answers when the comparison is with a record. */
  control: Answers;
}

/** Answers as they are weighed: `weigh` in `judge.ts`. */
export interface WeighedAnswers {
  judged: Count;
  /** Without the answers with yes of networks that have brought enough: `admit` in `judge.ts`. */
  admitted: Count;
  control: Count;
}

/**
 * The answers to one question on one route in one engine. Answers are compared only within a stratum: engines differ in usual faults and times, so
 * a changed mix of visitors would look like a changed version.
 */
export interface Stratum {
  /** All answers, as they came. */
  judged: Count;
  control: Count;
  /** The control does not have this page, or too few views of it. */
  isNew?: true;
  /** The blocks that were judged, as they were weighed. */
  past: WeighedAnswers;
  /** The block that is being filled, and of how many sums. */
  open: WeighedAnswers & { sums: number };
  /** Different networks that answered yes, until they are many. */
  yesNetworks: string[];
  /** Against a record: between which rates its own lies. */
  record?: { counted: Count; lower: number; upper: number };
}

/** Strata judged together, such as those of one route: each of their blocks is a bet here. */
export interface Group {
  blocks: number;
  /** The logarithm of what each of the question's bets has, by `admitted`. It may end a release. */
  worse: number[];
  /** The same by `judged`: it may not, but nothing is good that it speaks against. */
  doubt: number[];
}

/** All strata of one question. */
export interface Everywhere extends Group {
  /** All answers, as they came; of a record, all of it. */
  judged: Count;
  control: Count;
  /** Different networks that answered, until they are many. */
  networks: string[];
  /** How many times sums came. */
  sums: number;
  /** Networks that answer yes often, and how often: `admit` in `judge.ts`. */
  yesOf: Record<string, number>;
  fine: number[];
}

export interface QuestionComparison {
  everywhere: Everywhere;
  routes: Record<string, Group>;
  engines: Record<NamedEngine, Group>;
  /** By route and engine. Empty ones are omitted. */
  strata: Record<string, ByEngine<Stratum>>;
}

export interface Comparison {
  against: Against;
  apps: number;
  newRoutes: readonly string[];
  seen?: ComparisonPlan['seen'];
  questions: Record<Question, QuestionComparison>;
}

/** How often a release may be ended for nothing, over all apps, routes and questions. Stricter without a control at the same time. */
export const FALSE_ALARMS: Record<Against, number> = { live: 0.001, record: 0.0001 };

/** How many different networks must have had the fault before a release is ended. */
export const MANY_NETWORKS: Record<Against, number> = { live: 4, record: 20 };

/** How far from the control's rate towards the acceptable line a bet on "it is good" lies. */
export const FINE_BETS: readonly Bet[] = [
  { part: 0, stake: 0.5 },
  { part: 0.5, stake: 0.5 },
];

/** A bet starts with this part of its stake; the rest follows later, for what goes wrong only after a good hour. */
const AT_ONCE = 0.8;

/** The part of a stake that is added after block number `block` (from 1): all of them together are what `AT_ONCE` leaves. */
export const addedAfter = (block: number) => (1 - AT_ONCE) / (block * (block + 1));

const none = (): Count => ({ views: 0, yes: 0 });

export const unweighed = (): WeighedAnswers => ({ judged: none(), admitted: none(), control: none() });

export const plus = (a: Count, b: Count): Count => ({ views: a.views + b.views, yes: a.yes + b.yes });

/** @throws RangeError for numbers that are not finite. */
export function startComparison(plan: ComparisonPlan): Comparison {
  finite(plan.apps, 'The number of apps');
  const { against, apps, newRoutes = [], seen } = plan;
  const begun = { against, apps, newRoutes, ...(seen && { seen }) };
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
    // Half of a record's false alarms are for the record's own bounds being wrong, shared like everything else.
    const doubt = (FALSE_ALARMS.record * rules.weight) / (2 * apps * Math.max(1, recorded.length));
    const strata: Record<string, Partial<Record<Engine, Stratum>>> = {};
    for (const { route, engine, counted } of recorded)
      (strata[route] ??= {})[engine] = {
        ...startStratum(begun, route, engine),
        record: { counted, ...boundsOf(counted, doubt) },
      };
    return {
      everywhere: {
        ...startGroup(),
        judged: none(),
        control: recorded.reduce((sum, { counted }) => plus(sum, counted), none()),
        networks: [],
        sums: 0,
        yesOf: {},
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

/** A stratum without answers. */
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
