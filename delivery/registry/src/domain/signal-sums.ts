import { addSketches, type Sketch } from '@site/contract/signals/sketch';
import { vitals, type Cell, type Vital } from '@site/contract/signals/sums.schema';

/** How many views there were, and how many had a fault. */
export interface ViewCount {
  views: number;
  faults: number;
}

/** What is kept of one version of an app on one route, of a minute or an hour: nothing that tells one visitor from another. */
export interface SignalSums extends Partial<Record<Vital, Sketch>> {
  /** See `stretches`. */
  first: ViewCount;
  later: ViewCount;
  formsSent: number;
  formsFailed: number;
  /** Absent in what a former registry kept. */
  formsRefused?: number;
}

/** Whose sums they are. */
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

/** The cells of a batch by their places: both stretches, and what browsers fell back to, in one. */
export function sumsByPlace(cells: readonly Cell[]): PlacedSums[] {
  const places = new Map<string, PlacedSums>();
  for (const cell of cells) {
    const { app, version, route, role } = cell;
    const key = placeKey(cell);
    const before = places.get(key)?.sums ?? noSums;
    places.set(key, { app, version, route, role, sums: addSums(before, sumsOfCell(cell)) });
  }
  return [...places.values()];
}

/** The route of what was added up over all of them: no page has this path. */
export const ALL_ROUTES = '*';

/** The same of each version, over all routes: views, forms, LCP and INP, which is what lists show. */
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

/** A text that no two places share. */
export const placeKey = ({ app, version, route, role }: SignalPlace) => `${app}@${version} ${role} ${route}`;

export function addSums(one: SignalSums, other: SignalSums): SignalSums {
  return {
    first: addViews(one.first, other.first),
    later: addViews(one.later, other.later),
    formsSent: one.formsSent + other.formsSent,
    formsFailed: one.formsFailed + other.formsFailed,
    formsRefused: (one.formsRefused ?? 0) + (other.formsRefused ?? 0),
    ...Object.fromEntries(
      vitals.flatMap((vital) => {
        const sketch = addSketches(one[vital] ?? [], other[vital] ?? []);
        return sketch.length > 0 ? [[vital, sketch]] : [];
      }),
    ),
  };
}

function sumsOfCell({ stretch, views, faults, ...cell }: Cell): SignalSums {
  const { formsSent, formsFailed, formsRefused = 0 } = cell;
  const measured = Object.fromEntries(vitals.flatMap((vital) => (cell[vital] ? [[vital, cell[vital]]] : [])));
  return { ...noSums, [stretch]: { views, faults }, formsSent, formsFailed, formsRefused, ...measured };
}

function addViews(one: ViewCount, other: ViewCount): ViewCount {
  return { views: one.views + other.views, faults: one.faults + other.faults };
}
