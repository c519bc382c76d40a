/**
 * What is known of one app's version beside what it is compared with: small plain JSON. It is kept in the database and changed by each
 * sum that arrives; nothing is calculated over the past again.
 */
import { boundsOf, logPaid, logPaidAgainstRate, logSum, onLine, type Count, type Rates } from './evidence.ts';
import { QUESTIONS, questions, type Against, type Bet, type Line, type Question } from './questions.ts';

/** What is compared, decided before the first answer. */
export interface Plan {
  against: Against;
  /** How many apps the same release changes. They share its false alarms. */
  apps: number;
  /** Where the app may be seen: all of the release's routes for the shell, a remote's own otherwise. */
  routes: readonly string[];
  /** Those of them that what it is compared with does not have. They are judged by what `QuestionRules.alone` says. */
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

/** Answers as they are weighed: `weigh`. */
interface Weighed {
  judged: Count;
  /** Without the answers with yes of networks that have brought enough: `admit`. */
  admitted: Count;
  control: Count;
}

/** One question on one route. */
export interface Cell {
  /** All answers, as they came. */
  judged: Count;
  control: Count;
  /** Nobody else has this page. */
  isNew?: true;
  /** The blocks that were judged, as they were weighed. */
  past: Weighed & { blocks: number };
  /** The block that is being filled, and of how many sums. */
  open: Weighed & { sums: number };
  /** Different networks that answered yes, until they are many. */
  yesNetworks: string[];
  /** The logarithm of what each of the question's bets has, by `admitted`. It may end a release. */
  worse: number[];
  /** The same by `judged`: it may not, but nothing is good that it speaks against. */
  doubt: number[];
  /** Against a record: between which rates its own lies. */
  record?: { counted: Count; lower: number; upper: number };
}

/** One question on all routes: each block of each route is a bet here as well. So a route is only ever compared with itself. */
export interface Everywhere {
  /** All answers, as they came; of a record, all of it. */
  judged: Count;
  control: Count;
  /** Different networks that answered, until they are many. */
  networks: string[];
  /** How many times sums came. */
  sums: number;
  /** Networks that answer yes often, and how often: `admit`. */
  yesOf: Record<string, number>;
  blocks: number;
  worse: number[];
  doubt: number[];
  fine: number[];
}

export interface Comparison {
  against: Against;
  apps: number;
  questions: Record<Question, { everywhere: Everywhere; routes: Record<string, Cell> }>;
}

/** How often a release may be ended for nothing, over all apps, routes and questions. Stricter without a control at the same time. */
export const FALSE_ALARMS: Record<Against, number> = { live: 0.001, record: 0.0001 };

/** So many different networks must have had the fault before a release is ended. */
export const MANY_NETWORKS: Record<Against, number> = { live: 4, record: 20 };

/** Of one network at most so many answers count in one sum. */
const ANSWERS_OF_A_NETWORK = 3;

/**
 * And at most so many answers with yes to one question in the whole comparison, besides the part that `COUNTED_NETWORKS` leaves. In one
 * visitor's browser an extension may break every page: three such views are not three visitors. If they were, equal versions would be ended
 * in one of thirty cases where 3 % of the visitors are so (`npm run bench:guard`). Who was slow, or could not send a form, is not told one by
 * one, so the networks may be those of others, who must not be left out for it; but against a record little is enough to look worse.
 */
const yesOfANetwork = (question: Question, against: Against) =>
  question === 'fault' || question === 'late-fault' || against === 'record' ? 1 : 3;

/** So many networks are counted at a time: one that has more than this part of all answers with yes is among them. */
const COUNTED_NETWORKS = 32;

/** How far from the control's rate towards the acceptable line a bet on "it is good" lies. */
export const FINE_BETS: readonly Bet[] = [
  { part: 0, stake: 0.5 },
  { part: 0.5, stake: 0.5 },
];

/** A bet starts with this part of its stake; the rest follows later, for what goes wrong only after a good hour. */
const AT_ONCE = 0.8;

/** The part of a stake that is added after block number `block` (from 1): all of them together are what `AT_ONCE` leaves. */
const addedAfter = (block: number) => (1 - AT_ONCE) / (block * (block + 1));

/** A block is judged when it has a part of all answers before it, or when it has waited for so many sums. */
const BLOCK_PART = 1 / 8;
const BLOCK_SUMS = 15;

/** The control's rate is estimated as if it had so many answers at the usual rate before. */
const USUAL_VIEWS = 20;

const none = (): Count => ({ views: 0, yes: 0 });

const unweighed = (): Weighed => ({ judged: none(), admitted: none(), control: none() });

const plus = (a: Count, b: Count): Count => ({ views: a.views + b.views, yes: a.yes + b.yes });

export function startComparison(plan: Plan): Comparison {
  const started = (question: Question): Comparison['questions'][Question] => {
    const rules = QUESTIONS[question];
    // Half of a record's false alarms are for the record's own bounds being wrong, shared like everything else.
    const doubt = (FALSE_ALARMS.record * rules.weight) / (2 * plan.apps * plan.routes.length);
    const cellOf = (route: string): Cell => {
      const counted = plan.record?.[question]?.[route] ?? none();
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
    const cells = plan.routes.map((route) => [route, cellOf(route)] as const);
    return {
      everywhere: {
        judged: none(),
        control: cells.reduce((sum, [, { record }]) => plus(sum, record?.counted ?? none()), none()),
        networks: [],
        sums: 0,
        yesOf: {},
        blocks: 0,
        worse: rules.bets.map(() => Math.log(AT_ONCE)),
        doubt: rules.bets.map(() => Math.log(AT_ONCE)),
        fine: FINE_BETS.map(() => 0),
      },
      routes: Object.fromEntries(cells),
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

/**
 * The comparison with the sums of some seconds in it.
 *
 * @throws RangeError for a route that is not in the plan, and for more yes than views: the sums were not checked.
 */
export function judge(comparison: Comparison, sums: readonly Sum[]): Comparison {
  const changed = { ...comparison.questions };
  const many = MANY_NETWORKS[comparison.against];
  for (const question of questions) {
    const asked = sums.filter((sum) => sum.question === question);
    if (asked.length === 0) continue;
    const most = yesOfANetwork(question, comparison.against);
    const routes = { ...changed[question].routes };
    const everywhere = { ...changed[question].everywhere };
    everywhere.sums++;
    const settling =
      comparison.against === 'record' && everywhere.sums <= QUESTIONS[question].settlesAfterSums;
    // Long, and mostly nothing is added: it is read only where something may be.
    const heardYes = asked.some(({ judged }) => judged.yes > 0);
    const yesOf = new Map(heardYes ? Object.entries(everywhere.yesOf) : []);
    const paid: Paid[] = [];
    for (const sum of asked) {
      const cell = routes[sum.route];
      if (!cell)
        throw new RangeError(`No comparison of ${sum.route}: it is not among the routes of the plan.`);
      for (const { yes, views } of [sum.judged, sum.control])
        if (!(yes >= 0 && yes <= views))
          throw new RangeError(`${sum.route} has ${yes} yes in ${views} answers to ${question}.`);
      if (settling) continue;
      everywhere.judged = plus(everywhere.judged, sum.judged);
      if (comparison.against === 'live') everywhere.control = plus(everywhere.control, sum.control);
      everywhere.networks = known(everywhere.networks, sum.judged.from, many);
      const from = admit(yesOf, sum.judged.yesFrom.slice(0, sum.judged.yes), most);
      const filled = fill(cell, sum, from, many);
      const settled = isFull(filled) ? settle(filled, question) : undefined;
      if (settled) paid.push(settled.paid);
      routes[sum.route] = settled?.cell ?? filled;
    }
    if (heardYes) everywhere.yesOf = Object.fromEntries(yesOf);
    changed[question] = {
      everywhere: paid.length > 0 ? settleEverywhere(everywhere, paid) : everywhere,
      routes,
    };
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

function fill(cell: Cell, { judged, control }: Sum, yesFrom: readonly string[], many: number): Cell {
  const admitted = { ...judged, views: judged.views - (judged.yes - yesFrom.length), yes: yesFrom.length };
  const open = withoutOld(cell.open);
  return {
    ...cell,
    judged: plus(cell.judged, judged),
    control: plus(cell.control, control),
    open: {
      judged: plus(open.judged, weigh(judged)),
      admitted: plus(open.admitted, weigh(admitted)),
      control: plus(open.control, weigh(control)),
      sums: open.sums + 1,
    },
    yesNetworks: known(cell.yesNetworks, yesFrom, many),
  };
}

/**
 * A control that waits for a rare answer of the judged version is of the same time only if it is of the last minute or so: what is
 * older counts by half, again and again. As a part of an answer it stays valid, for its weight has nothing to do with what it says.
 */
function withoutOld(open: Cell['open']): Cell['open'] {
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
function isFull({ open, past, record, isNew }: Cell): boolean {
  if (open.judged.views === 0 || (open.control.views === 0 && !record && !isNew)) return false;
  return open.judged.views >= past.judged.views * BLOCK_PART || open.sums >= BLOCK_SUMS;
}

/** The logarithms of what one block paid to each bet. */
interface Paid {
  worse: number[];
  doubt: number[];
  fine: number[];
}

function settle(cell: Cell, question: Question): { cell: Cell; paid: Paid } {
  const { open, past } = cell;
  const paid = cell.isNew
    ? payAlone(open, question)
    : cell.record
      ? payAgainstRecord(open, cell.record, question)
      : payAgainstLive(open, past.control, question);
  const blocks = past.blocks + 1;
  return {
    paid,
    cell: {
      ...cell,
      past: {
        judged: plus(past.judged, open.judged),
        admitted: plus(past.admitted, open.admitted),
        control: plus(past.control, open.control),
        blocks,
      },
      open: { ...unweighed(), sums: 0 },
      worse: payOut(cell.worse, paid.worse, blocks),
      doubt: payOut(cell.doubt, paid.doubt, blocks),
    },
  };
}

/** What a bet has after it was paid, with the part of its stake that is added then. */
const payOut = (had: number[], paid: number[], blocks: number) =>
  had.map((log, bet) => logSum(log + (paid[bet] ?? 0), Math.log(addedAfter(blocks))));

function settleEverywhere(everywhere: Everywhere, paid: Paid[]): Everywhere {
  const totals = (of: keyof Paid) =>
    everywhere[of].map((_, bet) => paid.reduce((sum, each) => sum + (each[of][bet] ?? 0), 0));
  const blocks = everywhere.blocks + 1;
  const fine = totals('fine');
  return {
    ...everywhere,
    blocks,
    worse: payOut(everywhere.worse, totals('worse'), blocks),
    doubt: payOut(everywhere.doubt, totals('doubt'), blocks),
    fine: everywhere.fine.map((log, bet) => log + (fine[bet] ?? 0)),
  };
}

/** The control's rate by the answers so far. It is known before the block that is judged with it. */
export function estimate(past: Count, question: Question): number {
  return (past.yes + USUAL_VIEWS * QUESTIONS[question].usual) / (past.views + USUAL_VIEWS);
}

const worseThan = (rate: number, part: number) => rate + part * (1 - rate);
const fineBelow = (control: number, rate: number, part: number) => control + part * (rate - control);

function payAgainstLive({ judged, admitted, control }: Weighed, past: Count, question: Question): Paid {
  const { tolerated, bets, acceptable } = QUESTIONS[question];
  const rate = estimate(past, question);
  const worst = onLine(tolerated, rate);
  const pays = (answers: Count, line: Line, bet: number) =>
    logPaid({ judged: bet, control: rate } satisfies Rates, line, answers, control);
  // Where even the tolerated rate is all there is, there is nothing to bet on.
  const worse = (answers: Count) =>
    bets.map(({ part }) =>
      worst < 1 && answers.views > 0 ? pays(answers, tolerated, worseThan(worst, part)) : 0,
    );
  return {
    ...byBoth(worse, judged, admitted),
    fine: FINE_BETS.map(({ part }) =>
      pays(judged, acceptable, fineBelow(rate, Math.min(1, onLine(acceptable, rate)), part)),
    ),
  };
}

function payAgainstRecord(
  { judged, admitted }: Weighed,
  record: NonNullable<Cell['record']>,
  question: Question,
): Paid {
  const { tolerated, acceptable } = QUESTIONS[question];
  const best = onLine(acceptable, record.lower);
  const rate = record.counted.yes / Math.max(1, record.counted.views);
  return {
    ...byBoth((answers) => againstRate(onLine(tolerated, record.upper), answers, question), judged, admitted),
    // Where the record is too small its own rate may be above what is acceptable by its lower bound.
    fine: fineAgainstRate(rate, best, judged),
  };
}

/** A page that nobody else has: no rate of another version says how often it may fail, so rates that stand do. */
function payAlone({ judged, admitted }: Weighed, question: Question): Paid {
  const { alone, acceptable, usual, bets } = QUESTIONS[question];
  if (!alone) return { worse: bets.map(() => 0), doubt: bets.map(() => 0), fine: FINE_BETS.map(() => 0) };
  return {
    worse: againstRate(alone.bad, admitted, question),
    doubt: againstRate(alone.doubted, judged, question),
    fine: fineAgainstRate(usual, onLine(acceptable, usual), judged),
  };
}

/** Mostly no answer is left out: then both are the same. */
function byBoth(worse: (answers: Count) => number[], judged: Count, admitted: Count) {
  const doubt = worse(judged);
  const isSame = judged.views === admitted.views && judged.yes === admitted.yes;
  return { doubt, worse: isSame ? doubt : worse(admitted) };
}

const againstRate = (rate: number, answers: Count, question: Question) =>
  QUESTIONS[question].bets.map(({ part }) =>
    rate < 1 ? logPaidAgainstRate(worseThan(rate, part), rate, answers) : 0,
  );

const fineAgainstRate = (rate: number, best: number, answers: Count) =>
  FINE_BETS.map(({ part }) =>
    rate < best ? logPaidAgainstRate(Math.max(fineBelow(rate, best, part), 1e-6), best, answers) : 0,
  );

/**
 * What speaks against a page by all its answers, also by those that still wait for a control: as long as nobody else has the page
 * it is as one that is new.
 */
export function doubtOf({ doubt, open, isNew, record }: Cell, question: Question): number[] {
  const { alone } = QUESTIONS[question];
  if (!alone || isNew || record || open.control.views > 0) return doubt;
  const waiting = againstRate(alone.doubted, open.judged, question);
  return doubt.map((log, bet) => log + (waiting[bet] ?? 0));
}
