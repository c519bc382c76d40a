import { finite } from './finite.ts';

/**
 * The questions of every page view, answered by yes (bad) or no. One test serves them all.
 * - `fault`: did the page fail to load, to render or to hydrate, or was there an uncaught error, until it was
 * interactive? The view's first report answers it, so yes and no arrive equally fast.
 * - `late-fault`: was there a fault afterwards? Yes immediately, no when the view ends.
 * - `form`: did a submission fail?
 * - `lcp`, `inp`, `interactive`: was it above the limit of `slowLimits`? `interactive` applies only to WebKit, which
 * may not report the others.
 */
export type Question = 'fault' | 'late-fault' | 'form' | TimeQuestion;
export type TimeQuestion = 'lcp' | 'inp' | 'interactive';

/** A line in the plane of both rates: judged = times · control + plus. Rates are between 0 and 1. */
export interface Line {
  times: number;
  plus: number;
}

/** A position between the line and a worse rate, and its share of the stakes. */
export interface Bet {
  part: number;
  stake: number;
}

export interface QuestionRules {
  weight: number;
  /** The shares of this weight for all strata together and for the engines. The routes share the rest. */
  everywhere: number;
  engines: number;
  /** The expected rate without data. It affects only the speed of detection, never the validity. */
  usual: number;
  tolerated: Line;
  /**
   * Positions of the bets between the tolerated line and rate 1. One of them is near any actual rate; the cost of the
   * others is the logarithm of its stake.
   */
  bets: readonly Bet[];
  /**
   * With a record, this many initial batches do not count. A fault is reported immediately and its absence later, so
   * the first views would have only faults. A simultaneous control has the same bias.
   */
  settlesAfterSums: number;
  acceptable: Line;
  /**
   * For a page without a sufficient control: the rate above which it is bad, and the rate above which it is suspected,
   * which pauses its canary. There is none for times, because usual times are unknown there.
   */
  alone?: { bad: number; doubted: number };
  /**
   * The answer depends on a service shared by all versions. With a record, an outage of the service looks like a worse
   * version.
   */
  sharesService?: true;
  /** A good verdict requires enough answers to these. The others apply only once they have enough. */
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
  // Robots and extensions that break every page affect both versions elsewhere. Here they may be a large part of few
  // visitors.
  alone: { bad: 0.5, doubted: 0.1 },
};

const vitals = {
  everywhere: 0.5,
  engines: 0.15,
  usual: 0.25,
  // The limit already contains the tolerated slowdown (`TOLERATED_SLOWDOWN`).
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

/** The control: the live version at the same time, or the record of the same app before the release. */
export type Against = 'live' | 'record';

/** Tolerated slowdown. Higher for a record, because it has other hours of the day and other visitors. */
export const TOLERATED_SLOWDOWN: Record<Against, number> = { live: 1.05, record: 1.15 };

/**
 * The limits, in ms, above which a view answers a time question with yes. The judged version's limit is higher by the
 * tolerated slowdown. So "its views exceed its limit no more often than the live version's exceed theirs" means "it is
 * at most a twentieth slower", regardless of the variance of visits.
 * @param p75 the 75th percentile of the control before the comparison, on the same route in the same engine. It must
 * not include answers that are judged.
 */
export function slowLimits(p75: number, against: Against): { judged: number; control: number } {
  finite(p75, 'The limit');
  return { judged: p75 * TOLERATED_SLOWDOWN[against], control: p75 };
}
