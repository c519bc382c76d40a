import {
  FALSE_ALARMS,
  FINE_BETS,
  MANY_NETWORKS,
  OWNED_NETWORKS,
  plus,
  type Comparison,
  type Group,
  type QuestionComparison,
  type Stratum,
} from './comparison.ts';
import { namedEngines, type Engine, type NamedEngine } from './engines.ts';
import { rateBounds, onLine, type Count } from './evidence.ts';
import { allFinite, finite } from './finite.ts';
import { pendingDoubt, estimate } from './payments.ts';
import { QUESTIONS, questions, type Bet, type Question } from './questions.ts';

export interface Evidence {
  question: Question;
  route: string | undefined;
  engine?: NamedEngine;
  only?: true;
  judged: Count;
  control: Count;
  /**
   * Error probability. Bad: the probability that a release that is not worse ever has such evidence, on any route, by
   * any question, at any time. Good: the probability that an unacceptable release has such answers.
   */
  chance: number;
}

export interface Lacking {
  views: number;
  networks: number;
}

export type Verdict =
  | { is: 'bad'; evidence: Evidence; sharedService?: true }
  | { is: 'good'; evidence: Evidence[] }
  /** `suspected`: bad evidence that may be chance, or comes from too few networks. */
  | { is: 'waiting'; lacking: Lacking; suspected: Evidence | undefined };

/** Maximum probability of a good verdict for a version that is just not acceptable. */
const FALSE_PRAISE = 0.01;

/** Evidence with this probability under chance prevents a good verdict. */
const SUSPICIOUS = 0.05;

/**
 * Minimum number of networks with yes answers for a suspicion by all answers, so that one visitor alone delays nothing.
 */
const DOUBTING_NETWORKS = 2;

/** Minimum answers for an optional question. Below it, the question would delay a good verdict for lack of data. */
const ASKED_FROM_VIEWS = 300;

/** The current verdict. Valid at any time and any number of evaluations: see `evidence.ts`. */
export function evaluate(comparison: Comparison): Verdict {
  const { against } = comparison;
  const ranked = worstFirst(comparison, 'worse');
  const isShown = ({ evidence }: Found) => evidence.chance <= FALSE_ALARMS[against];
  const isShared = ({ evidence }: Found) =>
    against === 'record' && QUESTIONS[evidence.question].sharesService === true;
  const shown = ranked.filter((each) => each.networks >= each.needed && isShown(each));
  const bad = shown.find((each) => !isShared(each)) ?? shown[0];
  if (bad) return { is: 'bad', evidence: bad.evidence, ...(isShared(bad) && { sharedService: true }) };
  const worst = withNetworks(ranked);
  if (worst && isShown(worst))
    return {
      is: 'waiting',
      lacking: { views: 0, networks: worst.needed - worst.networks },
      suspected: worst.evidence,
    };
  const suspected = worst ?? withNetworks(worstFirst(comparison, 'doubt'));
  const praise = questions.flatMap((question) => goodEvidence(comparison, question) ?? []);
  const lacking = {
    views: Math.max(0, ...praise.map((each) => each.lacking.views)),
    networks: Math.max(0, ...praise.map((each) => each.lacking.networks)),
  };
  if (suspected || lacking.views > 0 || lacking.networks > 0)
    return { is: 'waiting', lacking, suspected: suspected?.evidence };
  return { is: 'good', evidence: praise.map((each) => each.evidence) };
}

/**
 * All significant findings, the least probable first. Each question and route has a weight, with a sum of at most 1. So
 * the weighted sum of all e-values is an e-value, and by Ville's inequality it reaches 1/α in at most the part α of all
 * releases that are not worse. A single part is less than the sum.
 */
function worstFirst(comparison: Comparison, by: 'worse' | 'doubt'): Found[] {
  return questions
    .flatMap((question) => suspiciousIn(comparison, question, by))
    .sort((a, b) => a.evidence.chance - b.evidence.chance);
}

const withNetworks = (ranked: readonly Found[]): Found | undefined =>
  ranked.find(({ networks, needed }) => networks >= needed) ?? ranked[0];

interface Found {
  evidence: Evidence;
  networks: number;
  needed: number;
}

interface Considered {
  route: string | undefined;
  engine: NamedEngine | undefined;
  logs: readonly number[];
  weight: number;
}

function suspiciousIn(comparison: Comparison, question: Question, by: 'worse' | 'doubt'): Found[] {
  const { questions: all, against, apps } = comparison;
  const { weight, everywhere: part, engines: enginesPart, bets } = QUESTIONS[question];
  const { everywhere, routes, engines, strata } = all[question];
  // Half of the false alarm budget covers the bounds of the record (`startComparison`).
  const share = (weight * (against === 'record' ? 0.5 : 1)) / apps;
  const found: Found[] = [];
  const consider = ({ route, engine, logs, weight: own }: Considered) => {
    const chance = finite(Math.min(1, Math.exp(-logMean(logs, bets)) / (share * own)), 'The chance');
    if (chance > SUSPICIOUS) return;
    const its = selectStrata(all[question], route, engine).map(({ stratum }) => stratum);
    const networks = new Set(its.flatMap(({ yesNetworks }) => yesNetworks)).size;
    const failsAlone = its.some(({ isNew, judged }) => isNew && judged.yes > 0);
    if (by === 'doubt' && networks < DOUBTING_NETWORKS && !failsAlone) return;
    found.push({
      networks,
      needed: Math.max(
        MANY_NETWORKS[against],
        networks + Math.ceil(lackingAnswers(comparison, its, question, { route, engine })),
      ),
      evidence: { question, ...locate(all[question], question, route, engine), chance },
    });
  };
  const groupEvidence = (group: Group) => group[by];
  const ofRoutes = Object.entries(routes);
  for (const [route, group] of ofRoutes) {
    const logs =
      by === 'worse' ? group.worse : pendingDoubt(group, Object.values(strata[route] ?? {}), question);
    consider({ route, engine: undefined, logs, weight: (1 - part - enginesPart) / ofRoutes.length });
  }
  for (const engine of namedEngines)
    consider({
      route: undefined,
      engine,
      logs: groupEvidence(engines[engine]),
      weight: enginesPart / namedEngines.length,
    });
  consider({ route: undefined, engine: undefined, logs: groupEvidence(everywhere), weight: part });
  return found;
}

/**
 * Standard deviations of the owner's networks that edges assign to a canary, and of usual faults: once in 4,000
 * comparisons there are more.
 */
const DEVIATIONS = 3.5;
/** Few networks suffice if nearly all views fail: an attacker cannot keep the other visitors away. */
const NEARLY_ALL = 0.9;
/** So many other visitors must have been expected that some would have come: e^-4 is 2%. */
const OTHERS_EXPECTED = 4;
const OTHERS_PER_OWNED = 1 / 3;

/** The number of yes answers that one owner of many networks may have added and that are lacking for a verdict. */
function lackingAnswers(
  { against, usual, questions: all }: Comparison,
  strata: readonly Stratum[],
  question: Question,
  { route, engine }: Pick<Considered, 'route' | 'engine'>,
): number {
  const { judged, control } = all[question].everywhere;
  const share = against === 'live' ? judged.views / (judged.views + control.views) : 1;
  const [owned, variance] = [OWNED_NETWORKS * share, OWNED_NETWORKS * share * (1 - share)];
  const admitted = strata
    .map(({ past, open }) => plus(past.admitted, open.admitted))
    .reduce(plus, { views: 0, yes: 0 });
  const others = usual && usualViews(usual, question, route) * share * (engine ? ENGINE_PART : 1);
  const isNearlyAll =
    admitted.yes >= admitted.views * NEARLY_ALL &&
    (others === undefined ||
      others >= Math.max(OTHERS_EXPECTED, (owned + DEVIATIONS * Math.sqrt(variance)) * OTHERS_PER_OWNED));
  if (isNearlyAll) return 0;
  const known = sumCounts(strata.map((stratum) => ({ stratum }))).control;
  const usualYes = (admitted.views * known.yes) / Math.max(1, known.views);
  const explained = owned + usualYes + DEVIATIONS * Math.sqrt(Math.max(1, variance) + usualYes);
  return Math.max(0, Math.floor(explained) + 1 - admitted.yes);
}

/** The visitors of an engine, at least roughly. */
const ENGINE_PART = 0.1;

/** Seconds after the first answers. Forms and times have too few answers for an expectation. */
const ANSWERED_AFTER: Partial<Record<Question, number>> = { fault: 0, 'late-fault': 25 };

function usualViews(
  { rates, seconds }: NonNullable<Comparison['usual']>,
  question: Question,
  route: string | undefined,
): number {
  const rate =
    route === undefined ? Object.values(rates).reduce((sum, each) => sum + each, 0) : (rates[route] ?? 0);
  return rate * Math.max(0, seconds - (ANSWERED_AFTER[question] ?? Infinity));
}

function selectStrata(
  { strata }: QuestionComparison,
  route: string | undefined,
  engine: NamedEngine | undefined,
): { engine: Engine; stratum: Stratum }[] {
  const onRoutes = route === undefined ? Object.values(strata) : [strata[route] ?? {}];
  return onRoutes.flatMap((of) =>
    (Object.entries(of) as [Engine, Stratum][])
      .filter(([name]) => engine === undefined || name === engine)
      .map(([name, stratum]) => ({ engine: name, stratum })),
  );
}

function locate(
  comparison: QuestionComparison,
  question: Question,
  route: string | undefined,
  engine: NamedEngine | undefined,
): Pick<Evidence, 'route' | 'engine' | 'only' | 'judged' | 'control'> {
  const all = selectStrata(comparison, route, undefined);
  const within = (isMeant: (name: Engine) => boolean) =>
    sumCounts(all.filter((each) => isMeant(each.engine)));
  const only = namedEngines.find(
    (name) =>
      (engine === undefined || engine === name) &&
      isOnlyIn(
        within((other) => other === name),
        within((other) => other !== name),
        question,
      ),
  );
  const named = only ?? engine ?? (question === 'interactive' ? 'webkit' : undefined);
  return {
    route,
    ...(named && { engine: named }),
    ...(only && { only: true as const }),
    ...within((name) => named === undefined || name === named),
  };
}

interface BothCounts {
  judged: Count;
  control: Count;
}

function sumCounts(strata: readonly { stratum: Stratum }[]): BothCounts {
  return strata.reduce<BothCounts>(
    (sum, { stratum: { judged, control, record } }) => ({
      judged: plus(sum.judged, judged),
      control: plus(sum.control, record?.counted ?? control),
    }),
    { judged: { views: 0, yes: 0 }, control: { views: 0, yes: 0 } },
  );
}

/**
 * Error probability of the bounds that distinguish one engine from the others. For display only; it ends no release.
 */
const ONLY_DOUBT = 0.05;

/** Whether the other engines fail as rarely as with the control, and significantly less than this one. */
function isOnlyIn(engine: BothCounts, others: BothCounts, question: Question): boolean {
  const other = rateBounds(others.judged, ONLY_DOUBT);
  const usual = onLine(QUESTIONS[question].tolerated, estimate(others.control, question));
  return other.lower <= usual && other.upper < rateBounds(engine.judged, ONLY_DOUBT).lower;
}

/**
 * The missing data for a good verdict by one question, over all its routes. Undefined if the question does not apply.
 */
function goodEvidence(
  comparison: Comparison,
  question: Question,
): { lacking: Lacking; evidence: Evidence } | undefined {
  const { acceptable, needed } = QUESTIONS[question];
  const { judged, control, networks, fine } = comparison.questions[question].everywhere;
  if (!needed && judged.views < ASKED_FROM_VIEWS) return undefined;
  const missing = Math.log(1 / FALSE_PRAISE) - logMean(fine, FINE_BETS);
  const rate = estimate(control, question);
  // Maximum gain of one no answer; at least the gain at a zero fault rate, even if nearly every view fails.
  const brought = Math.max(
    acceptable.plus,
    Math.log((1 - rate) / (1 - Math.min(0.999, onLine(acceptable, rate)))),
  );
  return {
    lacking: allFinite(
      {
        views: Math.max(0, Math.ceil(missing / brought)),
        networks: Math.max(0, MANY_NETWORKS[comparison.against] - networks.length),
      },
      'What is missing',
    ),
    evidence: {
      question,
      route: undefined,
      judged,
      control,
      chance: finite(Math.min(1, Math.exp(missing) * FALSE_PRAISE), 'The chance'),
    },
  };
}

function logMean(logs: readonly number[], bets: readonly Bet[]): number {
  const high = Math.max(...logs);
  return (
    high + Math.log(bets.reduce((sum, { stake }, bet) => sum + stake * Math.exp((logs[bet] ?? 0) - high), 0))
  );
}
