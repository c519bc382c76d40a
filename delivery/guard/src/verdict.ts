import {
  FALSE_ALARMS,
  FINE_BETS,
  MANY_NETWORKS,
  type RouteComparison,
  type Comparison,
} from './comparison.ts';
import { onLine, type Count } from './evidence.ts';
import { allFinite, finite } from './finite.ts';
import { doubtOf, estimate } from './payments.ts';
import { QUESTIONS, questions, type Bet, type Question } from './questions.ts';

/** What speaks for a verdict: enough for one sentence (`sentenceOf`). */
export interface Evidence {
  question: Question;
  /** Undefined: on all routes. */
  route: string | undefined;
  /** All answers, not weighed. */
  judged: Count;
  control: Count;
  /**
   * Bad: in at most this part of all releases that are not worse would anything look as bad, on any route, by any question, at any
   * time. Good: in at most this part of those that are not acceptable would the answers be as good.
   */
  chance: number;
}

/** What is missing for a verdict. */
export interface Lacking {
  /** How many more views of the judged version, at least. */
  views: number;
  /** From how many more networks. */
  networks: number;
}

export type Verdict =
  /** `sharedService`: a service that all versions share may be the cause (`QuestionRules.sharesService`). It is judged further. */
  | { is: 'bad'; evidence: Evidence; sharedService?: true }
  | { is: 'good'; evidence: Evidence[] }
  /** `suspected`: what does not look good, but may be chance, or come from too few networks. */
  | { is: 'waiting'; lacking: Lacking; suspected: Evidence | undefined };

/** A version that is just not acceptable is called good in at most this part of all cases. */
const FALSE_PRAISE = 0.01;

/** Evidence that would be this rare by chance keeps a version from being good. */
const SUSPICIOUS = 0.05;

/** How many networks must have answered yes before all answers are a doubt: one visitor alone holds nothing up. */
const DOUBTING_NETWORKS = 2;

/** A question that is not needed is asked from this many answers on: before, it would hold up a good version for want of them. */
const ASKED_FROM_VIEWS = 300;

/** What is known now. It may be asked at any time, however often: see `evidence.ts`. */
export function verdictOf(comparison: Comparison): Verdict {
  const { against } = comparison;
  const many = MANY_NETWORKS[against];
  const ranked = worstFirst(comparison, 'worse');
  const isShown = ({ evidence }: Found) => evidence.chance <= FALSE_ALARMS[against];
  const isShared = ({ evidence }: Found) =>
    against === 'record' && QUESTIONS[evidence.question].sharesService === true;
  const shown = ranked.filter((each) => each.networks >= many && isShown(each));
  const bad = shown.find((each) => !isShared(each)) ?? shown[0];
  if (bad) return { is: 'bad', evidence: bad.evidence, ...(isShared(bad) && { sharedService: true }) };
  const worst = withNetworks(ranked, many);
  if (worst && isShown(worst))
    return {
      is: 'waiting',
      lacking: { views: 0, networks: many - worst.networks },
      suspected: worst.evidence,
    };
  const suspected = worst ?? withNetworks(worstFirst(comparison, 'doubt'), many);
  const praise = questions.flatMap((question) => praiseOf(comparison, question) ?? []);
  const lacking = {
    views: Math.max(0, ...praise.map((each) => each.lacking.views)),
    networks: Math.max(0, ...praise.map((each) => each.lacking.networks)),
  };
  if (suspected || lacking.views > 0 || lacking.networks > 0)
    return { is: 'waiting', lacking, suspected: suspected?.evidence };
  return { is: 'good', evidence: praise.map((each) => each.evidence) };
}

/**
 * All questions and routes that would be rare by chance, the rarest first.
 *
 * Each has a weight, and the weights add up to 1 at most. So the weighted sum of all e-values is one itself, and by Ville's
 * inequality it ever reaches 1/α in at most the part α of all releases that are not worse. One of its parts alone is less than the sum.
 */
function worstFirst(comparison: Comparison, by: 'worse' | 'doubt'): Found[] {
  return questions
    .flatMap((question) => suspiciousIn(comparison, question, by))
    .sort((a, b) => a.evidence.chance - b.evidence.chance);
}

/** One with enough networks before one without. */
const withNetworks = (ranked: readonly Found[], many: number): Found | undefined =>
  ranked.find(({ networks }) => networks >= many) ?? ranked[0];

interface Found {
  evidence: Evidence;
  networks: number;
}

/** The answers to a question on one route, or on all. */
interface Considered {
  route: string | undefined;
  /** What each bet has, as a logarithm. */
  logs: readonly number[];
  /** Its part of the weight of the question. */
  weight: number;
  judged: Count;
  control: Count;
  onRoutes: readonly RouteComparison[];
}

function suspiciousIn(
  { questions: all, against, apps }: Comparison,
  question: Question,
  by: 'worse' | 'doubt',
): Found[] {
  const { weight, everywhere: part, bets } = QUESTIONS[question];
  const { everywhere, routes } = all[question];
  // Half of the false alarms are for the bounds of the record (`startComparison`).
  const share = (weight * (against === 'record' ? 0.5 : 1)) / apps;
  const onRoutes = Object.values(routes);
  const found: Found[] = [];
  const consider = (its: Considered) => {
    const { route, judged, control } = its;
    const chance = finite(
      Math.min(1, Math.exp(-logMean(its.logs, bets)) / (share * its.weight)),
      'The chance',
    );
    if (chance > SUSPICIOUS) return;
    const networks = new Set(its.onRoutes.flatMap((onRoute) => onRoute.yesNetworks)).size;
    if (by === 'doubt' && networks < DOUBTING_NETWORKS && !its.onRoutes.some(({ isNew }) => isNew)) return;
    found.push({ networks, evidence: { question, route, judged, control, chance } });
  };
  for (const [route, onRoute] of Object.entries(routes)) {
    const { judged, control, record } = onRoute;
    consider({
      route,
      logs: by === 'worse' ? onRoute.worse : doubtOf(onRoute, question),
      weight: (1 - part) / onRoutes.length,
      judged,
      control: record?.counted ?? control,
      onRoutes: [onRoute],
    });
  }
  const { judged, control } = everywhere;
  consider({ route: undefined, logs: everywhere[by], weight: part, judged, control, onRoutes });
  return found;
}

/** What is lacking for calling the version good by one question, over all its routes. Undefined when it is not asked. */
function praiseOf(
  comparison: Comparison,
  question: Question,
): { lacking: Lacking; evidence: Evidence } | undefined {
  const { acceptable, needed } = QUESTIONS[question];
  const { judged, control, networks, fine } = comparison.questions[question].everywhere;
  if (!needed && judged.views < ASKED_FROM_VIEWS) return undefined;
  const missing = Math.log(1 / FALSE_PRAISE) - logMean(fine, FINE_BETS);
  const rate = estimate(control, question);
  // What one answer with no brings at most; never less than where nothing fails, also where nearly everything does.
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

/** The logarithm of what all bets have together. */
function logMean(logs: readonly number[], bets: readonly Bet[]): number {
  const high = Math.max(...logs);
  return (
    high + Math.log(bets.reduce((sum, { stake }, bet) => sum + stake * Math.exp((logs[bet] ?? 0) - high), 0))
  );
}
