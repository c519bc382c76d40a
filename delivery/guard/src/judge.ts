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

/** The most answers of one network that count in a sum. */
const ANSWERS_OF_A_NETWORK = 3;

/**
 * And the most of its answers with yes to one question in the whole comparison, besides the part that `COUNTED_NETWORKS` leaves. In one
 * visitor's browser an extension may break every page, or block the forms service: three such views are not three visitors. If they were, equal
 * versions would be ended in one of thirty cases where 3 % of the visitors are so (`npm run bench:guard`). A quarter of all views are slow, so there
 * a network may have several; but against a record little is enough to look worse.
 */
const yesOfANetwork = (question: Question, against: Against) =>
  isTime(question) && against === 'live' ? 3 : 1;

/** How many networks are counted at a time: one that has more than 1/32 of all answers with yes is among them. */
const COUNTED_NETWORKS = 32;

/** A block is judged when it has a part of all answers before it, or when it has waited for this many sums. */
const BLOCK_PART = 1 / 8;
const BLOCK_SUMS = 15;

/**
 * The comparison with the sums of some seconds in it.
 *
 * @throws RangeError for a route that is not in the plan, for more yes than views, and for numbers that are not finite: the sums were
 * not checked.
 */
export function judge(comparison: Comparison, sums: readonly Sum[]): Comparison {
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
    // Long, and mostly nothing is added: it is read only where something may be.
    const heardYes = asked.some(({ judged }) => judged.yes > 0);
    const yesOf = new Map(heardYes ? Object.entries(everywhere.yesOf) : []);
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
      const from = admit(yesOf, sum.judged.yesFrom.slice(0, sum.judged.yes), most);
      const stratum = strata[route]?.[engine] ?? startStratum(comparison, route, engine);
      const filled = fill(stratum, sum, from, many);
      const settled = isFull(filled) ? settle(filled, question) : undefined;
      if (settled) payments.push({ route, engine, paid: settled.paid });
      strata[route] = { ...strata[route], [engine]: settled?.stratum ?? filled };
    }
    if (heardYes) everywhere.yesOf = Object.fromEntries(yesOf);
    changed[question] = { strata, ...payAll({ ...before, everywhere }, payments) };
  }
  return { ...comparison, questions: changed };
}

/**
 * Answers of one network are not independent: ten views of one visitor are not ten visitors. Above a few of each network they count as
 * parts of an answer. That keeps what `logPaid` proves: the root of a payment is on average at most the root of its average, and a
 * network whose answers are all the same then counts no more than those few.
 */
function weigh({ views, yes, networks }: Answers): Count {
  const weight = views > 0 ? Math.min(1, (ANSWERS_OF_A_NETWORK * networks) / views) : 0;
  return { views: views * weight, yes: yes * weight };
}

function fill(stratum: Stratum, { judged, control }: Sum, yesFrom: readonly string[], many: number): Stratum {
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
 * A control that waits for a rare answer of the judged version is of the same time only if it is of the last minute or so: what is
 * older counts by half, again and again. As a part of an answer it stays valid, for its weight has nothing to do with what it says.
 */
function withoutOld(open: Stratum['open']): Stratum['open'] {
  if (open.judged.views > 0 || open.sums < BLOCK_SUMS) return open;
  return { ...open, control: { views: open.control.views / 2, yes: open.control.yes / 2 }, sums: 0 };
}

/**
 * Which answers with yes count, after those in `counts`, which it keeps. One visitor whose browser breaks every page, for an hour, would otherwise bring all the evidence, and a few
 * others, as there always are, the number of networks. Leaving answers with yes out can only weaken what speaks against the version;
 * what speaks for it is paid by all answers.
 *
 * The counting is that of Misra and Gries (Finding repeated elements, 1982): with a bounded number of counters, which all go down by
 * one when a network comes that has none. So a network has at most `most` answers and one for each round of all counters.
 */
function admit(counts: Map<string, number>, yesFrom: readonly string[], most: number): string[] {
  return yesFrom.filter((network) => {
    const had = counts.get(network) ?? 0;
    if (had >= most) return false;
    if (had > 0 || counts.size < COUNTED_NETWORKS) counts.set(network, had + 1);
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
 * A block is as short as it may be, for the rates of both versions must be the same in it; it waits for an answer of either version,
 * for without that it tells nothing. When it ends depends on how many answers there are, and never on what they say.
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

/** The payment of one block of a stratum. */
interface Payment extends Pick<Sum, 'route' | 'engine'> {
  paid: Paid;
}

/** Adds each block to every group of its stratum. */
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

/** Each bet's logarithm after the payments. */
const totals = (had: readonly number[], payments: readonly Payment[], of: keyof Paid) =>
  had.map((log, bet) => payments.reduce((sum, { paid }) => sum + (paid[of][bet] ?? 0), log));

/** Adds the delayed part of the stake to each bet after a block. */
const addToStake = (had: readonly number[], blocks: number) =>
  had.map((log) => logSum(log, Math.log(addedAfter(blocks))));
