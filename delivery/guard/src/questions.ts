import { finite } from './finite.ts';

/**
 * What every page view is asked: questions that are answered by yes (bad) or no. One test serves them all.
 *
 * - `fault`: did the page fail to load, to render or to hydrate, or was there an uncaught error, until it was interactive? Answered
 *   by the view's first report. So a good view says no about as soon as a bad one says yes.
 * - `late-fault`: was there a fault afterwards? Yes at once, no when the view ends.
 * - `form`: did a form that was sent fail?
 * - `lcp`, `inp`, `interactive`: was it above the limit of `limitOf`? `interactive` applies only to WebKit, which may not report the others.
 */
export type Question = 'fault' | 'late-fault' | 'form' | TimeQuestion;
export type TimeQuestion = 'lcp' | 'inp' | 'interactive';

/** A line in the plane of both rates: judged = times · control + plus. Rates are parts of 1. */
export interface Line {
  times: number;
  plus: number;
}

/** A part of the way to something worse, and the part of the stakes that is put on it. */
export interface Bet {
  part: number;
  stake: number;
}

export interface QuestionRules {
  /** The part of the false alarms that this question may make. They add up to 1. */
  weight: number;
  /** The parts of this weight for all strata together, and for the engines. The routes share the rest. */
  everywhere: number;
  engines: number;
  /** The rate that is expected before anything is known. It decides how soon something is found, never whether that is true. */
  usual: number;
  /** A rate up to this limit does not count as worse, and never ends a release. */
  tolerated: Line;
  /**
   * How far from the tolerated line towards "always" the bets lie. One is near whatever is wrong; what the others lose costs the
   * logarithm of its stake.
   */
  bets: readonly Bet[];
  /**
   * Against a record, this many sums at the beginning do not count. A fault is reported at once and its absence later; the views of the first moments
   * would have nothing but faults. Two versions at the same time both have that.
   */
  settlesAfterSums: number;
  /** A rate below this line, shown with enough evidence, is good. */
  acceptable: Line;
  /**
   * On a page that no other version has, or that hardly anybody has seen there: above which rate it is bad, and above which rate it is
   * doubted, so that it is not good and its canary is not shown to more visitors. Nobody knows which times are usual there.
   */
  alone?: { bad: number; doubted: number };
  /**
   * The answer depends on a service that all versions share. Against a record nothing at the same time tells an outage of the service
   * from a worse version.
   */
  sharesService?: true;
  /** A version is good only when these have enough answers. The others are asked once they have them. */
  needed: boolean;
}

const faults = {
  everywhere: 0.25,
  engines: 0.1,
  usual: 0.002,
  tolerated: { times: 1.2, plus: 0.003 },
  bets: [
    { part: 0.04, stake: 0.25 },
    { part: 0.12, stake: 0.15 },
    { part: 0.4, stake: 0.1 },
    { part: 0.95, stake: 0.5 },
  ],
  settlesAfterSums: 5,
  acceptable: { times: 1, plus: 0.02 },
  // Robots and extensions that break every page are in both versions elsewhere. Here they may be many of the few who come.
  alone: { bad: 0.5, doubted: 0.1 },
};

const vitals = {
  everywhere: 0.5,
  engines: 0.15,
  usual: 0.25,
  // How much slower is tolerated stands in the limit itself (`TOLERATED_SLOWDOWN`).
  tolerated: { times: 1, plus: 0 },
  bets: [
    { part: 0.06, stake: 0.3 },
    { part: 0.16, stake: 0.5 },
    { part: 0.4, stake: 0.2 },
  ],
  settlesAfterSums: 30,
  acceptable: { times: 1, plus: 0.05 },
};

export const QUESTIONS: Record<Question, QuestionRules> = {
  fault: { ...faults, weight: 0.48, needed: true },
  'late-fault': { ...faults, weight: 0.24, settlesAfterSums: 30, needed: false },
  form: {
    ...faults,
    weight: 0.04,
    usual: 0.02,
    tolerated: { times: 1.5, plus: 0.02 },
    acceptable: { times: 1, plus: 0.1 },
    sharesService: true,
    needed: false,
  },
  lcp: { ...vitals, weight: 0.1, needed: false },
  inp: { ...vitals, weight: 0.1, needed: false },
  interactive: { ...vitals, weight: 0.04, needed: false },
};

export const questions = Object.keys(QUESTIONS) as Question[];

export const isTime = (question: Question): question is TimeQuestion =>
  question === 'lcp' || question === 'inp' || question === 'interactive';

/** What the version is compared with: the live one at the same time, or the record of the same app before the release. */
export type Against = 'live' | 'record';

/**
 * How much slower does not count as worse. A record is of other hours of the day and of other visitors, so more is tolerated against it.
 */
export const TOLERATED_SLOWDOWN: Record<Against, number> = { live: 1.05, record: 1.15 };

/**
 * The limits, in ms, above which a view answers a question about a time with yes. The judged version's is higher by what is tolerated: so
 * "its views are above its limit no more often than the live version's above theirs" says exactly "it is at most a twentieth slower",
 * however much visits differ from each other.
 *
 * @param p75 what a quarter of the control's views were above before the comparison began, on the same route in the same engine. It must not be
 * taken from answers that are then judged.
 */
export function limitOf(p75: number, against: Against): { judged: number; control: number } {
  finite(p75, 'The limit');
  return { judged: p75 * TOLERATED_SLOWDOWN[against], control: p75 };
}
