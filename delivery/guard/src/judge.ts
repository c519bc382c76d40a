import {
  addedAfter,
  MANY_NETWORKS,
  plus,
  startStratum,
  unweighed,
  type Answers,
  type Comparison,
  type Everywhere,
  type Group,
  type QuestionComparison,
  type Stratum,
  type Sum,
} from './comparison.ts';
import { logSum, type Count } from './evidence.ts';
import { namedEngines } from './engines.ts';
import { finite } from './finite.ts';
import { isTime, QUESTIONS, questions, type Against, type Question } from './questions.ts';
import { payAgainstLive, payAgainstRecord, payAlone, type Paid } from './payments.ts';

interface Reporter {
  atMs: number;
}

const ANSWERS_OF_A_NETWORK = 3;

/**
 * Maximum yes answers of one network to one question in the whole comparison, besides the part that `countedNetworks`
 * leaves. A browser extension may break every page or block the forms service; three such views are not three visitors.
 * Without this limit, one of thirty comparisons of equal versions would end the release if 3 % of the visitors had such
 * a browser (`npm run bench:guard`). A quarter of all views are slow, so a network may have several there. With a
 * record, little evidence is enough to look worse.
 */
const yesOfANetwork = (question: Question, against: Against) =>
  isTime(question) && against === 'live' ? 3 : 1;

/**
 * Number of networks counted at a time: includes each network with more than 1/32 of all yes answers. For faults, more
 * than one owner has (`OWNED_NETWORKS`).
 */
const countedNetworks = (question: Question) =>
  question === 'fault' || question === 'late-fault' ? 128 : 32;

/** A block is judged when it has this part of all answers before it, or after this many batches. */
const BLOCK_PART = 1 / 8;
const BLOCK_SUMS = 15;

export function judge(comparison: Comparison, sums: readonly Sum[], reporter?: Reporter): Comparison {
  const changed = { ...comparison.questions };
  const many = MANY_NETWORKS[comparison.against];
  for (const question of questions) {
    const asked = sums.filter((sum) => sum.question === question);
    if (asked.length === 0) continue;
    const most = yesOfANetwork(question, comparison.against);
    const before = changed[question];
    const strata = { ...before.strata };
    const everywhere = { ...before.everywhere };
    everywhere.sums++;
    const settling =
      comparison.against === 'record' && everywhere.sums <= QUESTIONS[question].settlesAfterSums;
    // Long, and rarely needed: read only if there is something to add.
    const heardYes = asked.some(({ judged }) => judged.yes > 0);
    const yesByNetwork = new Map(heardYes ? Object.entries(everywhere.yesByNetwork) : []);
    const payments: Payment[] = [];
    for (const sum of asked) {
      const { route, engine } = sum;
      if (!before.routes[route])
        throw new RangeError(`No comparison of ${route}: it is not among the routes of the plan.`);
      for (const { yes, views, networks } of [sum.judged, sum.control]) {
        for (const count of [yes, views, networks]) finite(count, `A count of ${question} on ${route}`);
        if (!(yes >= 0 && yes <= views))
          throw new RangeError(`${route} has ${yes} yes in ${views} answers to ${question}.`);
      }
      if (settling) continue;
      everywhere.judged = plus(everywhere.judged, sum.judged);
      if (comparison.against === 'live') everywhere.control = plus(everywhere.control, sum.control);
      everywhere.networks = known(everywhere.networks, sum.judged.from, many);
      const yesFrom = sum.judged.yesFrom.slice(0, sum.judged.yes);
      const from = admit(yesByNetwork, yesFrom, { most, counted: countedNetworks(question) });
      const stratum = strata[route]?.[engine] ?? startStratum(comparison, route, engine);
      const filled = fill(stratum, sum, { from, many });
      const settled = isFull(filled) ? settle(filled, question) : undefined;
      if (settled) payments.push({ route, engine, paid: settled.paid });
      strata[route] = { ...strata[route], [engine]: settled?.stratum ?? filled };
    }
    if (heardYes) everywhere.yesByNetwork = Object.fromEntries(yesByNetwork);
    changed[question] = { strata, ...payAll({ ...before, everywhere }, payments) };
  }
  const { usual, against } = comparison;
  const { sums: heard } = changed.fault.everywhere;
  // Answers of the first batches do not count.
  const isSettling = against === 'record' && heard <= QUESTIONS.fault.settlesAfterSums;
  return {
    ...comparison,
    ...(usual &&
      reporter && {
        usual: isSettling
          ? { ...usual, fromMs: reporter.atMs, seconds: 0 }
          : { ...usual, seconds: (reporter.atMs - usual.fromMs) / 1_000 },
      }),
    questions: changed,
  };
}

/**
 * Answers of one network are not independent: ten views of one visitor are not ten visitors. Above a few per network,
 * they count as fractional answers. This preserves the proof of `logPaid`: by Jensen's inequality, the mean of a
 * payment's root is at most the root of its mean. A network whose answers are all equal then counts no more than those
 * few.
 */
function weigh({ views, yes, networks }: Answers): Count {
  const weight = views > 0 ? Math.min(1, (ANSWERS_OF_A_NETWORK * networks) / views) : 0;
  return { views: views * weight, yes: yes * weight };
}

function fill(
  stratum: Stratum,
  { judged, control }: Sum,
  { from: yesFrom, many }: { from: readonly string[]; many: number },
): Stratum {
  const admitted = { ...judged, views: judged.views - (judged.yes - yesFrom.length), yes: yesFrom.length };
  const open = withoutOld(stratum.open);
  return {
    ...stratum,
    judged: plus(stratum.judged, judged),
    control: plus(stratum.control, control),
    open: {
      judged: plus(open.judged, weigh(judged)),
      admitted: plus(open.admitted, weigh(admitted)),
      control: plus(open.control, weigh(control)),
      sums: open.sums + 1,
    },
    yesNetworks: known(stratum.yesNetworks, yesFrom, many),
  };
}

/**
 * Control answers that wait for a rare answer of the judged version must be recent: older ones are halved repeatedly.
 * As fractional answers they stay valid, because the weight is independent of the answer.
 */
function withoutOld(open: Stratum['open']): Stratum['open'] {
  if (open.judged.views > 0 || open.sums < BLOCK_SUMS) return open;
  return { ...open, control: { views: open.control.views / 2, yes: open.control.yes / 2 }, sums: 0 };
}

/**
 * The yes answers that count, after those in `counts`, which it updates. Otherwise, one visitor whose browser breaks
 * every page for an hour could provide all the evidence, and a few incidental ones the number of networks. Omitting yes
 * answers can only weaken evidence against the version; evidence for it uses all answers. Counts with the algorithm of
 * Misra and Gries (Finding repeated elements, 1982): a bounded number of counters, all decremented when a network
 * without a counter arrives. So a network has at most `most` answers, plus one per decrement.
 */
function admit(
  counts: Map<string, number>,
  yesFrom: readonly string[],
  { most, counted }: { most: number; counted: number },
): string[] {
  return yesFrom.filter((network) => {
    const had = counts.get(network) ?? 0;
    if (had >= most) return false;
    if (had > 0 || counts.size < counted) counts.set(network, had + 1);
    else
      for (const [other, count] of counts)
        if (count > 1) counts.set(other, count - 1);
        else counts.delete(other);
    return true;
  });
}

function known(before: string[], heard: readonly string[], many: number): string[] {
  if (before.length >= many || heard.length === 0) return before;
  return [...new Set([...before, ...heard])].slice(0, many);
}

/**
 * Blocks are as short as possible, because both rates must be constant within one. A block waits for an answer of each
 * version, since it carries no information without that. Its end depends only on the number of answers, never on their
 * values.
 */
function isFull({ open, past, record, isNew }: Stratum): boolean {
  if (open.judged.views === 0 || (open.control.views === 0 && !record && !isNew)) return false;
  return open.judged.views >= past.judged.views * BLOCK_PART || open.sums >= BLOCK_SUMS;
}

function settle(stratum: Stratum, question: Question): { stratum: Stratum; paid: Paid } {
  const { open, past, record, isNew } = stratum;
  const paid = isNew
    ? payAlone(open, question)
    : record
      ? payAgainstRecord(open, record, question)
      : payAgainstLive(open, past.control, question);
  return {
    paid,
    stratum: {
      ...stratum,
      past: {
        judged: plus(past.judged, open.judged),
        admitted: plus(past.admitted, open.admitted),
        control: plus(past.control, open.control),
      },
      open: { ...unweighed(), sums: 0 },
    },
  };
}

interface Payment extends Pick<Sum, 'route' | 'engine'> {
  paid: Paid;
}

function payAll(
  before: QuestionComparison,
  payments: readonly Payment[],
): Pick<QuestionComparison, 'everywhere' | 'routes' | 'engines'> {
  const routes = { ...before.routes };
  for (const route of new Set(payments.map((payment) => payment.route))) {
    const group = routes[route];
    const own = payments.filter((payment) => payment.route === route);
    if (group) routes[route] = pay(group, own);
  }
  const engines = { ...before.engines };
  for (const engine of namedEngines)
    engines[engine] = pay(
      engines[engine],
      payments.filter((payment) => payment.engine === engine),
    );
  const fine = totals(before.everywhere.fine, payments, 'fine');
  const everywhere: Everywhere = { ...pay(before.everywhere, payments), fine };
  return { routes, engines, everywhere };
}

function pay<Paying extends Group>(group: Paying, payments: readonly Payment[]): Paying {
  if (payments.length === 0) return group;
  const blocks = group.blocks + 1;
  return {
    ...group,
    blocks,
    worse: addToStake(totals(group.worse, payments, 'worse'), blocks),
    doubt: addToStake(totals(group.doubt, payments, 'doubt'), blocks),
  };
}

const totals = (had: readonly number[], payments: readonly Payment[], of: keyof Paid) =>
  had.map((log, bet) => payments.reduce((sum, { paid }) => sum + (paid[of][bet] ?? 0), log));

const addToStake = (had: readonly number[], blocks: number) =>
  had.map((log) => logSum(log, Math.log(addedAfter(blocks))));
