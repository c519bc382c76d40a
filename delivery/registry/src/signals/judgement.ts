import { boundOf, bucketOf, countOf, percentile, type Sketch } from '@site/contract/signals/sketch';
import type { Cell, JudgedVital } from '@site/contract/signals/sums.schema';
import type { Answers, ByEngine, Comparison, ComparisonPlan, Sum } from '@site/guard/comparison';
import type { Count } from '@site/guard/evidence';
import type { Engine } from '@site/guard/engines';
import { limitOf, type Against, type Question } from '@site/guard/questions';
import { networksIn } from '../kernel/networks.ts';
import { enginesOf, timesJudgedIn, type JudgedSums, type SignalSums } from './signal-sums.ts';

/** Above how many ms a view is slow, in the judged version and in the one it is compared with. See `limitOf`. */
export interface Limit {
  judged: number;
  control: number;
}

/** Raise it when what `@site/guard` keeps changes: what another registry began is then begun again. */
export const STATE_FORMAT = 4;

/** What is known of a version that is judged. Small plain JSON: it is kept in the database, and changed by each batch. */
export interface JudgementState {
  /** `STATE_FORMAT` of the registry that began it. */
  format: number;
  comparison: Comparison;
  /** By the route and the engine. Without a limit there is no judgement by times. */
  limits: Record<JudgedVital, Readonly<Record<string, ByEngine<Limit>>>>;
}

/** Which version of an app is judged, and beside which. */
export interface Judged {
  app: string;
  version: string;
  /** Null when nothing of it was there before: then it can only be seen to be good or not by itself. */
  control: string | null;
}

/** What a batch answers to the questions about one version. Routes that the comparison does not know are left out. */
export function answersIn(
  cells: readonly Cell[],
  { app, version, control }: Judged,
  { comparison, limits }: JudgementState,
): Sum[] {
  const isLive = comparison.against === 'live';
  const own = cells.filter((cell) => cell.app === app);
  const judged = own.filter((cell) => cell.version === version && cell.role === (isLive ? 'canary' : 'live'));
  const others = isLive ? own.filter((cell) => cell.version === control && cell.role === 'live') : [];
  const strata = new Map(
    [...judged, ...others].map(({ route, engine }) => [
      `${route} ${engine}`,
      { route, engine: named(engine) },
    ]),
  );
  return [...strata.values()].flatMap(({ route, engine }) => {
    const within = (list: readonly Cell[]) =>
      list.filter((cell) => cell.route === route && named(cell.engine) === engine);
    return comparison.questions.fault.routes[route]
      ? answersWithin({ route, engine }, within(judged), within(others), limits)
      : [];
  });
}

const named = (engine: Cell['engine']): Engine => engine ?? 'unknown';

function answersWithin(
  { route, engine }: Pick<Sum, 'route' | 'engine'>,
  judged: readonly Cell[],
  control: readonly Cell[],
  limits: JudgementState['limits'],
): Sum[] {
  const slow =
    (vital: JudgedVital) =>
    (cell: Cell, side: 'judged' | 'control'): Read | null =>
      slowOf(cell, vital, limits[vital][route]?.[engine]?.[side]);
  const readers: Record<Question, (cell: Cell, side: 'judged' | 'control') => Read | null> = {
    fault: (cell) => viewsOf(cell, 'first'),
    'late-fault': (cell) => viewsOf(cell, 'later'),
    form: ({ formsSent, formsFailed, formSenders, failedFormSenders }) => ({
      views: formsSent + formsFailed,
      yes: formsFailed,
      from: networksIn(formSenders),
      yesFrom: networksIn(failedFormSenders),
    }),
    lcp: slow('lcp'),
    inp: slow('inp'),
    interactive: slow('interactive'),
  };
  return Object.entries(readers).flatMap(([question, read]) => {
    const sides = {
      judged: together(judged.map((cell) => read(cell, 'judged'))),
      control: together(control.map((cell) => read(cell, 'control'))),
    };
    if (sides.judged.views + sides.control.views === 0) return [];
    return [{ route, engine, question: question as Question, ...sides }];
  });
}

interface Read {
  views: number;
  yes: number;
  /** The networks that answered, and those that answered yes: never those of other answers, which would be taken for witnesses. */
  from: readonly string[];
  yesFrom: readonly string[];
}

function viewsOf(cell: Cell, stretch: Cell['stretch']): Read | null {
  if (cell.stretch !== stretch) return null;
  const { views, faults, visitors, networks } = cell;
  return { views, yes: faults, from: networksIn(visitors), yesFrom: networksIn(networks) };
}

function slowOf(cell: Cell, question: JudgedVital, limit: number | undefined): Read | null {
  const sketch = cell[question];
  if (!sketch || limit === undefined) return null;
  const slowest = cell[`${question}Slowest`] ?? [];
  return {
    views: countOf(sketch),
    yes: countAbove(sketch, limit),
    from: slowest.map(([network]) => String(network)),
    yesFrom: slowest.filter(([, bucket]) => isAbove(bucket, limit)).map(([network]) => String(network)),
  };
}

/** Limits lie on bounds of buckets, but for how they were calculated. */
const ROUNDING = 1.0001;

/** How many values are above a limit. Of a bucket that the limit lies in, none: that speaks for the judged version. */
function countAbove(sketch: Sketch, limit: number): number {
  return sketch.reduce((sum, [bucket, count]) => sum + (isAbove(bucket, limit) ? count : 0), 0);
}

const isAbove = (bucket: number, limit: number) => boundOf(bucket - 1) * ROUNDING >= limit;

function together(reads: readonly (Read | null)[]): Answers & { from: string[]; yesFrom: string[] } {
  const said = reads.filter((read) => read !== null);
  const total = (of: 'views' | 'yes') => said.reduce((sum, read) => sum + read[of], 0);
  const networks = (of: 'from' | 'yesFrom') => [...new Set(said.flatMap((read) => read[of]))];
  const from = networks('from');
  const views = total('views');
  // Never more, whatever an edge says: its batch would be refused forever.
  const yes = Math.min(views, total('yes'));
  return { views, yes, networks: Math.min(views, from.length), from, yesFrom: networks('yesFrom') };
}

/** Below that many measured views nobody knows what is slow. */
const MEASURED_VIEWS = 20;

/** What a quarter of the views of the control were slower than, on each route in each engine, before the comparison began. */
export function limitsOf(
  record: ReadonlyMap<string, SignalSums>,
  against: Against,
): JudgementState['limits'] {
  const limits = (vital: JudgedVital) =>
    byRouteAndEngine(record, ({ [vital]: sketch = [] }, _, engine) => {
      const p75 = percentile(sketch, 0.75);
      return p75 === null || countOf(sketch) < MEASURED_VIEWS || !timesJudgedIn(engine).includes(vital)
        ? null
        : limitOf(boundOf(bucketOf(p75)), against);
    });
  return { lcp: limits('lcp'), inp: limits('inp'), interactive: limits('interactive') };
}

/** What a record answers to all questions, as the control that its limits are of. */
export function recordOf(
  record: ReadonlyMap<string, SignalSums>,
  limits: JudgementState['limits'],
): NonNullable<ComparisonPlan['record']> {
  const slow = (vital: JudgedVital) => (sums: JudgedSums, route: string, engine: Engine) =>
    slowIn(sums[vital], limits[vital][route]?.[engine]);
  const readers: Record<Question, (sums: JudgedSums, route: string, engine: Engine) => Count | null> = {
    fault: ({ first }) => ({ views: first.views, yes: first.faults }),
    'late-fault': ({ later }) => ({ views: later.views, yes: later.faults }),
    form: ({ formsSent, formsFailed }) => ({ views: formsSent + formsFailed, yes: formsFailed }),
    lcp: slow('lcp'),
    inp: slow('inp'),
    interactive: slow('interactive'),
  };
  return Object.fromEntries(
    Object.entries(readers).map(([question, read]) => [
      question,
      byRouteAndEngine(record, (...of) => {
        const count = read(...of);
        return count && count.views > 0 ? count : null;
      }),
    ]),
  );
}

/** Which engines enough views of a record are of, by route. */
export function seenIn(record: ReadonlyMap<string, SignalSums>, views: number): Record<string, Engine[]> {
  const seen = byRouteAndEngine(record, ({ first }) => (first.views >= views ? first.views : null));
  return Object.fromEntries(
    Object.entries(seen).map(([route, engines]) => [route, Object.keys(engines) as Engine[]]),
  );
}

function byRouteAndEngine<T>(
  record: ReadonlyMap<string, SignalSums>,
  read: (sums: JudgedSums, route: string, engine: Engine) => T | null,
): Record<string, ByEngine<T>> {
  const all = [...record].map(([route, sums]) => {
    const engines = Object.entries(enginesOf(sums)) as [Engine, JudgedSums][];
    const values = engines.flatMap(([engine, own]): [Engine, T][] => {
      const value = read(own, route, engine);
      return value === null ? [] : [[engine, value]];
    });
    const found: ByEngine<T> = Object.fromEntries(values);
    return [route, found] as const;
  });
  return Object.fromEntries(all.filter(([, engines]) => Object.keys(engines).length > 0));
}

function slowIn(sketch: Sketch | undefined, limit: Limit | undefined): Count | null {
  return sketch && limit ? { views: countOf(sketch), yes: countAbove(sketch, limit.control) } : null;
}
