import { addSketches, type Sketch } from '@site/contract/signals/sketch';
import type { BrowserEngine } from '@site/contract/signals/fault';
import {
  judgedVitals,
  vitals,
  type Cell,
  type JudgedVital,
  type Vital,
} from '@site/contract/signals/sums.schema';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '@site/server/durations';

export interface ViewCount {
  views: number;
  faults: number;
}

export interface JudgedSums extends Partial<Record<JudgedVital, Sketch>> {
  first: ViewCount;
  later: ViewCount;
  formsSent: number;
  formsFailed: number;
}

export type ByEngine<T> = Partial<Record<BrowserEngine, T>>;

/** The stored sums of an app's version on a route during a minute or an hour. Nothing in them identifies a visitor. */
export interface SignalSums extends JudgedSums {
  cls?: Sketch;
  formsRefused?: number;
  engines?: ByEngine<JudgedSums>;
}

export interface SignalPlace {
  app: string;
  version: string;
  route: string;
  role: Cell['role'];
}

export type PlacedSums = SignalPlace & { sums: SignalSums };

const noViews = { views: 0, faults: 0 };
export const noSums: SignalSums = {
  first: noViews,
  later: noViews,
  formsSent: 0,
  formsFailed: 0,
  formsRefused: 0,
};

export function sumsByPlace(cells: readonly Cell[]): PlacedSums[] {
  const places = new Map<string, PlacedSums>();
  for (const cell of cells) {
    const { app, version, route, role } = cell;
    const key = placeKey(cell);
    const before = places.get(key)?.sums ?? noSums;
    places.set(key, { app, version, route, role, sums: addSums(before, cellSums(cell)) });
  }
  return [...places.values()];
}

/** The route of sums over all routes. No page has this path. */
export const ALL_ROUTES = '*';

export function ofAllRoutes(rows: readonly PlacedSums[]): PlacedSums[] {
  const together = new Map<string, PlacedSums>();
  for (const row of rows) {
    const place = { ...row, route: ALL_ROUTES };
    const key = placeKey(place);
    together.set(key, { ...place, sums: addSums(together.get(key)?.sums ?? noSums, shownAtOnce(row.sums)) });
  }
  return [...together.values()];
}

function shownAtOnce({ first, later, formsSent, formsFailed, lcp, inp }: SignalSums): SignalSums {
  return { first, later, formsSent, formsFailed, ...(lcp ? { lcp } : {}), ...(inp ? { inp } : {}) };
}

export const placeKey = ({ app, version, route, role }: SignalPlace) => `${app}@${version} ${role} ${route}`;

/** The judged times of an engine. WebKit may report only the time to interactive. */
export const timesJudgedIn = (engine: BrowserEngine): readonly JudgedVital[] =>
  judgedVitals.filter((vital) => vital !== 'interactive' || engine === 'webkit');

export function addSums(one: SignalSums, other: SignalSums): SignalSums {
  return {
    ...addJudged(vitals, one, other),
    formsRefused: (one.formsRefused ?? 0) + (other.formsRefused ?? 0),
    ...((one.engines || other.engines) && { engines: addEngines(one.engines ?? {}, other.engines ?? {}) }),
  };
}

function addEngines(one: ByEngine<JudgedSums>, other: ByEngine<JudgedSums>): ByEngine<JudgedSums> {
  const sum = { ...one };
  for (const [engine, sums] of Object.entries(other) as [BrowserEngine, JudgedSums][]) {
    const before = sum[engine];
    sum[engine] = before ? addJudged(judgedVitals, before, sums) : sums;
  }
  return sum;
}

function addJudged<Of extends JudgedSums & Partial<Record<Vital, Sketch>>>(
  measured: readonly Vital[],
  one: Of,
  other: Of,
): JudgedSums & Partial<Record<Vital, Sketch>> {
  return {
    first: addViews(one.first, other.first),
    later: addViews(one.later, other.later),
    formsSent: one.formsSent + other.formsSent,
    formsFailed: one.formsFailed + other.formsFailed,
    ...pickSketches(measured, (vital) => addSketches(one[vital] ?? [], other[vital] ?? [])),
  };
}

function cellSums({ stretch, views, faults, ...cell }: Cell): SignalSums {
  const { engine, formsSent, formsFailed, formsRefused } = cell;
  const counts = { first: noViews, later: noViews, [stretch]: { views, faults }, formsSent, formsFailed };
  const own: JudgedSums = { ...counts, ...pickSketches(timesJudgedIn(engine), (vital) => cell[vital]) };
  const engines: ByEngine<JudgedSums> = { [engine]: own };
  return { ...own, ...pickSketches(vitals, (vital) => cell[vital]), formsRefused, engines };
}

function pickSketches<Of extends Vital>(
  names: readonly Of[],
  readSketch: (vital: Of) => Sketch | undefined,
): Partial<Record<Of, Sketch>> {
  const found = names.flatMap((vital): [Of, Sketch][] => {
    const sketch = readSketch(vital);
    return sketch && sketch.length > 0 ? [[vital, sketch]] : [];
  });
  return Object.fromEntries(found) as Partial<Record<Of, Sketch>>;
}

function addViews(one: ViewCount, other: ViewCount): ViewCount {
  return { views: one.views + other.views, faults: one.faults + other.faults };
}

export const PULSE_MS = 5 * MINUTE_MS;

export const signalSpans = {
  signal_minutes: { span: MINUTE_MS, kept: 2 * DAY_MS },
  signal_hours: { span: HOUR_MS, kept: 90 * DAY_MS },
  signal_pulses: { span: PULSE_MS, kept: 2 * DAY_MS },
} as const;

export function startOfHour(at: Date): Date {
  const { span } = signalSpans.signal_hours;
  return new Date(Math.floor(at.getTime() / span) * span);
}
