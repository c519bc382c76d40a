/**
 * What is known of one app's version beside what it is compared with: small plain JSON. It is kept in the database and changed by each
 * sum that arrives; nothing is calculated over the past again.
 */
import { boundsOf, type Count } from './evidence.ts';
import { allFinite, finite } from './finite.ts';
import { QUESTIONS, type Against, type Bet, type Question } from './questions.ts';

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
   * Against a record: what the app's version before it answered on each route, as it would be counted now. Of `lcp` and `inp` how often
   * the control's limit was exceeded. A route without a record is not judged by that question.
   */
  record?: Partial<Record<Question, Readonly<Record<string, Count>>>>;
}

/** Answers of some seconds. */
export interface Answers extends Count {
  /** How many networks (/24, /48) they came from. */
  networks: number;
}

/** What arrived in some seconds to one question on one route, of views that began after the comparison did, in both versions. */
export interface Sum {
  route: string;
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

/** What is known of one question on one route. */
export interface RouteComparison {
  /** All answers, as they came. */
  judged: Count;
  control: Count;
  /** Nobody else has this page, or hardly anybody has seen it there. */
  isNew?: true;
  /** The blocks that were judged, as they were weighed. */
  past: WeighedAnswers & { blocks: number };
  /** The block that is being filled, and of how many sums. */
  open: WeighedAnswers & { sums: number };
  /** Different networks that answered yes, until they are many. */
  yesNetworks: string[];
  /** The logarithm of what each of the question's bets has, by `admitted`. It may end a release. */
  worse: number[];
  /** The same by `judged`: it may not, but nothing is good that it speaks against. */
  doubt: number[];
  /** Against a record: between which rates its own lies. */
  record?: { counted: Count; lower: number; upper: number };
}

/** What is known of one question on all routes: each block of each route is a bet here as well. So a route is only ever compared with itself. */
export interface Everywhere {
  /** All answers, as they came; of a record, all of it. */
  judged: Count;
  control: Count;
  /** Different networks that answered, until they are many. */
  networks: string[];
  /** How many times sums came. */
  sums: number;
  /** Networks that answer yes often, and how often: `admit` in `judge.ts`. */
  yesOf: Record<string, number>;
  blocks: number;
  worse: number[];
  doubt: number[];
  fine: number[];
}

export interface Comparison {
  against: Against;
  apps: number;
  questions: Record<Question, { everywhere: Everywhere; routes: Record<string, RouteComparison> }>;
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
  const started = (question: Question): Comparison['questions'][Question] => {
    const rules = QUESTIONS[question];
    // Half of a record's false alarms are for the record's own bounds being wrong, shared like everything else.
    const doubt = (FALSE_ALARMS.record * rules.weight) / (2 * plan.apps * plan.routes.length);
    const startOn = (route: string): RouteComparison => {
      const counted = allFinite(plan.record?.[question]?.[route] ?? none(), `The record of ${route}`);
      return {
        judged: none(),
        control: none(),
        past: { ...unweighed(), blocks: 0 },
        open: { ...unweighed(), sums: 0 },
        yesNetworks: [],
        worse: rules.bets.map(() => Math.log(AT_ONCE)),
        doubt: rules.bets.map(() => Math.log(AT_ONCE)),
        ...(plan.newRoutes?.includes(route) && { isNew: true }),
        ...(plan.against === 'record' && { record: { counted, ...boundsOf(counted, doubt) } }),
      };
    };
    const onRoutes = plan.routes.map((route) => [route, startOn(route)] as const);
    return {
      everywhere: {
        judged: none(),
        control: onRoutes.reduce((sum, [, { record }]) => plus(sum, record?.counted ?? none()), none()),
        networks: [],
        sums: 0,
        yesOf: {},
        blocks: 0,
        worse: rules.bets.map(() => Math.log(AT_ONCE)),
        doubt: rules.bets.map(() => Math.log(AT_ONCE)),
        fine: FINE_BETS.map(() => 0),
      },
      routes: Object.fromEntries(onRoutes),
    };
  };
  return {
    against: plan.against,
    apps: plan.apps,
    questions: {
      fault: started('fault'),
      'late-fault': started('late-fault'),
      form: started('form'),
      lcp: started('lcp'),
      inp: started('inp'),
    },
  };
}
