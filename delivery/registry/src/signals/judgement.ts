import {
  bucketBound,
  sketchBucket,
  sketchCount,
  percentile,
  type Sketch,
} from '@site/contract/signals/sketch';
import type { Cell, JudgedVital } from '@site/contract/signals/sums.schema';
import type { Answers, ByEngine, Comparison, ComparisonPlan, Sum } from '@site/guard/comparison';
import type { Count } from '@site/guard/evidence';
import type { Engine } from '@site/guard/engines';
import { slowLimits, type Against, type Question } from '@site/guard/questions';
import { networksIn } from '../kernel/networks.ts';
import { timesJudgedIn, type JudgedSums, type SignalSums } from './signal-sums.ts';

export interface Limit {
  judged: number;
  control: number;
}

/** Increment it when the state of `@site/guard` changes: judgements of other formats restart. */
export const STATE_FORMAT = 1;

/** The state of a version's judgement. Small plain JSON: it is stored in the database and updated by each batch. */
export interface JudgementState {
  format: number;
  comparison: Comparison;
  limits: Record<JudgedVital, Readonly<Record<string, ByEngine<Limit>>>>;
}

export interface Judged {
  app: string;
  version: string;
  /** Null without a previous version: the version is then judged on its own. */
  control: string | null;
}

/** A batch's answers to the questions about a version. Routes unknown to the comparison are omitted. */
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
    [...judged, ...others].map(({ route, engine }) => [`${route} ${engine}`, { route, engine }]),
  );
  return [...strata.values()].flatMap(({ route, engine }) => {
    const within = (list: readonly Cell[]) =>
      list.filter((cell) => cell.route === route && cell.engine === engine);
    return comparison.questions.fault.routes[route]
      ? answersWithin({ route, engine }, within(judged), within(others), limits)
      : [];
  });
}

function answersWithin(
  { route, engine }: Pick<Sum, 'route' | 'engine'>,
  judged: readonly Cell[],
  control: readonly Cell[],
  limits: JudgementState['limits'],
): Sum[] {
  const slow =
    (vital: JudgedVital) =>
    (cell: Cell, side: 'judged' | 'control'): Read | null =>
      slowAnswers(cell, vital, limits[vital][route]?.[engine]?.[side]);
  const readers: Record<Question, (cell: Cell, side: 'judged' | 'control') => Read | null> = {
    fault: (cell) => viewAnswers(cell, 'first'),
    'late-fault': (cell) => viewAnswers(cell, 'later'),
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
  /** The networks of all answers and of yes answers. Networks of other answers must not count as witnesses. */
  from: readonly string[];
  yesFrom: readonly string[];
}

function viewAnswers(cell: Cell, stretch: Cell['stretch']): Read | null {
  if (cell.stretch !== stretch) return null;
  const { views, faults, visitors, networks } = cell;
  return { views, yes: faults, from: networksIn(visitors), yesFrom: networksIn(networks) };
}

function slowAnswers(cell: Cell, question: JudgedVital, limit: number | undefined): Read | null {
  const sketch = cell[question];
  if (!sketch || limit === undefined) return null;
  const slowest = cell[`${question}Slowest`] ?? [];
  return {
    views: sketchCount(sketch),
    yes: countAbove(sketch, limit),
    from: slowest.map(([network]) => String(network)),
    yesFrom: slowest.filter(([, bucket]) => isAbove(bucket, limit)).map(([network]) => String(network)),
  };
}

/** Limits are bucket bounds, except for rounding. */
const ROUNDING = 1.0001;

/** The number of values above a limit. Excludes the bucket that contains the limit, in favor of the judged version. */
function countAbove(sketch: Sketch, limit: number): number {
  return sketch.reduce((sum, [bucket, count]) => sum + (isAbove(bucket, limit) ? count : 0), 0);
}

const isAbove = (bucket: number, limit: number) => bucketBound(bucket - 1) * ROUNDING >= limit;

function together(reads: readonly (Read | null)[]): Answers & { from: string[]; yesFrom: string[] } {
  const said = reads.filter((read) => read !== null);
  const total = (of: 'views' | 'yes') => said.reduce((sum, read) => sum + read[of], 0);
  const networks = (of: 'from' | 'yesFrom') => [...new Set(said.flatMap((read) => read[of]))];
  const from = networks('from');
  const views = total('views');
  // Capped, because an invalid batch would be rejected and resent forever.
  const yes = Math.min(views, total('yes'));
  return { views, yes, networks: Math.min(views, from.length), from, yesFrom: networks('yesFrom') };
}

const MEASURED_VIEWS = 20;

export function recordLimits(
  record: ReadonlyMap<string, SignalSums>,
  against: Against,
): JudgementState['limits'] {
  const limits = (vital: JudgedVital) =>
    byRouteAndEngine(record, ({ [vital]: sketch = [] }, _, engine) => {
      const p75 = percentile(sketch, 0.75);
      return p75 === null || sketchCount(sketch) < MEASURED_VIEWS || !timesJudgedIn(engine).includes(vital)
        ? null
        : slowLimits(bucketBound(sketchBucket(p75)), against);
    });
  return { lcp: limits('lcp'), inp: limits('inp'), interactive: limits('interactive') };
}

export function recordedAnswers(
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

export function seenEngines(
  record: ReadonlyMap<string, SignalSums>,
  views: number,
): Record<string, Engine[]> {
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
    const engines = Object.entries(sums.engines ?? {}) as [Engine, JudgedSums][];
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
  return sketch && limit ? { views: sketchCount(sketch), yes: countAbove(sketch, limit.control) } : null;
}
