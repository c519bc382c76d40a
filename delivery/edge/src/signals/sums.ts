import { browserNames, type BrowserName } from '@site/contract/signals/fault';
import { sketchBucket, type Sketch } from '@site/contract/signals/sketch';
import {
  judgedVitals,
  MAX_CELLS,
  MAX_FAULT_SUMS,
  NETWORK_BITS,
  vitals,
  type Cell,
  type EdgeSums,
  type ExperimentSum,
  type FaultSum,
  type JudgedVital,
  type Vital,
} from '@site/contract/signals/sums.schema';

export type CellKey = Pick<Cell, 'app' | 'version' | 'route' | 'role' | 'build' | 'stretch' | 'engine'>;
export type FaultKey = Omit<FaultSum, 'count' | 'browsers'>;

const counted = ['views', 'faults', 'formsSent', 'formsFailed', 'formsRefused'] as const;
type Counted = (typeof counted)[number];

const marked = ['networks', 'visitors', 'formSenders', 'failedFormSenders'] as const;
type Marked = (typeof marked)[number];

interface OpenCell extends Record<Counted, number>, Record<Marked, Uint8Array> {
  key: CellKey;
  slowest: Record<JudgedVital, Map<number, number>>;
  measured: Partial<Record<Vital, Map<number, number>>>;
  /** By choice. */
  experiments: Map<string, ExperimentSum>;
}

export interface Addition extends Partial<Record<Counted, number>> {
  network: number;
  measured?: Partial<Record<Vital, number | undefined>>;
  experiment?: Pick<ExperimentSum, 'variants' | 'choice'> & { reached: ReadonlySet<string> };
}

export interface Sums {
  add(key: CellKey, addition: Addition): boolean;
  addFault(key: FaultKey, browser: BrowserName): boolean;
  addAll(other: Sums): boolean;
  isEmpty(): boolean;
  totals(): Pick<EdgeSums, 'cells' | 'faults'>;
  readonly cells: ReadonlyMap<string, OpenCell>;
  readonly faults: ReadonlyMap<string, FaultSum>;
}

export function createSums(): Sums {
  const cells = new Map<string, OpenCell>();
  const faults = new Map<string, FaultSum>();

  function openCell(key: CellKey): OpenCell | null {
    const { app, version, route, role, build, stretch, engine } = key;
    const name = [app, version, route, role, build, stretch, engine].join(' ');
    const known = cells.get(name);
    if (known) return known;
    if (cells.size >= MAX_CELLS) return null;
    const cell: OpenCell = {
      key,
      views: 0,
      faults: 0,
      formsSent: 0,
      formsFailed: 0,
      formsRefused: 0,
      networks: noBits(),
      visitors: noBits(),
      formSenders: noBits(),
      failedFormSenders: noBits(),
      slowest: { lcp: new Map(), inp: new Map(), interactive: new Map() },
      measured: {},
      experiments: new Map(),
    };
    cells.set(name, cell);
    return cell;
  }

  function addFaults({ count, browsers, ...key }: FaultSum): boolean {
    const { kind, app, version, message, file, line, column, route, variant } = key;
    const name = JSON.stringify([kind, app, version, message, file, line, column, route, variant]);
    const known = faults.get(name);
    if (!known && faults.size >= MAX_FAULT_SUMS) return false;
    const all = { ...known?.browsers };
    for (const browser of browserNames)
      if (browsers[browser]) all[browser] = (all[browser] ?? 0) + browsers[browser];
    faults.set(name, { ...key, count: (known?.count ?? 0) + count, browsers: all });
    return true;
  }

  return {
    cells,
    faults,
    add(key, { network, measured = {}, experiment, ...counts }) {
      const cell = openCell(key);
      if (!cell) return false;
      for (const name of counted) cell[name] += counts[name] ?? 0;
      setBit(cell.visitors, network);
      if (counts.faults) setBit(cell.networks, network);
      if (counts.formsSent || counts.formsFailed) setBit(cell.formSenders, network);
      if (counts.formsFailed) setBit(cell.failedFormSenders, network);
      for (const name of judgedVitals)
        if (measured[name] !== undefined && (name !== 'interactive' || key.engine === 'webkit'))
          keepSlowest(cell.slowest[name], network, sketchBucket(measured[name]));
      for (const name of vitals) {
        const value = measured[name];
        if (value === undefined) continue;
        const sketch = (cell.measured[name] ??= new Map());
        const bucket = sketchBucket(value);
        sketch.set(bucket, (sketch.get(bucket) ?? 0) + 1);
      }
      if (experiment) {
        const reached = Object.fromEntries([...experiment.reached].map((name) => [name, 1]));
        addExperiment(cell, { ...experiment, views: 1, reached });
      }
      return true;
    },
    addFault: (key, browser) => addFaults({ ...key, count: 1, browsers: { [browser]: 1 } }),
    addAll(other) {
      let fits = true;
      for (const from of other.cells.values()) {
        const cell = openCell(from.key);
        if (!cell) fits = false;
        else join(cell, from);
      }
      for (const fault of other.faults.values()) fits = addFaults(fault) && fits;
      return fits;
    },
    isEmpty: () => cells.size === 0 && faults.size === 0,
    totals: () => ({ cells: [...cells.values()].map(closeCell), faults: [...faults.values()] }),
  };
}

const noBits = () => new Uint8Array(NETWORK_BITS / 8);

function keepSlowest(slowest: Map<number, number>, network: number, bucket: number): void {
  slowest.set(network, Math.max(bucket, slowest.get(network) ?? 0));
}

function addExperiment({ experiments }: OpenCell, { variants, choice, views, reached }: ExperimentSum): void {
  const key = `${variants} ${choice}`;
  const sum = experiments.get(key) ?? { variants, choice, views: 0, reached: {} };
  sum.views += views;
  for (const [name, count] of Object.entries(reached)) sum.reached[name] = (sum.reached[name] ?? 0) + count;
  experiments.set(key, sum);
}

function setBit(bits: Uint8Array, bit: number): void {
  bits[bit >> 3] = (bits[bit >> 3] ?? 0) | (1 << (bit & 7));
}

function join(cell: OpenCell, from: OpenCell): void {
  for (const name of counted) cell[name] += from[name];
  for (const name of marked)
    from[name].forEach((byte, index) => (cell[name][index] = (cell[name][index] ?? 0) | byte));
  for (const name of judgedVitals)
    for (const [network, bucket] of from.slowest[name]) keepSlowest(cell.slowest[name], network, bucket);
  for (const name of vitals) {
    const own = from.measured[name];
    if (!own) continue;
    const sketch = (cell.measured[name] ??= new Map());
    for (const [bucket, count] of own) sketch.set(bucket, (sketch.get(bucket) ?? 0) + count);
  }
  for (const sum of from.experiments.values()) addExperiment(cell, sum);
}

function closeCell(cell: OpenCell): Cell {
  const { key, views, faults, formsSent, formsFailed, formsRefused, slowest, measured } = cell;
  return {
    ...key,
    views,
    faults,
    formsSent,
    formsFailed,
    formsRefused,
    visitors: base64(cell.visitors),
    ...(faults > 0 && { networks: base64(cell.networks) }),
    ...(formsSent + formsFailed > 0 && { formSenders: base64(cell.formSenders) }),
    ...(formsFailed > 0 && { failedFormSenders: base64(cell.failedFormSenders) }),
    ...(slowest.lcp.size > 0 && { lcpSlowest: ascending(slowest.lcp) }),
    ...(slowest.inp.size > 0 && { inpSlowest: ascending(slowest.inp) }),
    ...(slowest.interactive.size > 0 && { interactiveSlowest: ascending(slowest.interactive) }),
    ...(cell.experiments.size > 0 && { experiments: [...cell.experiments.values()] }),
    ...Object.fromEntries(
      Object.entries(measured).map(([name, values]): [string, Sketch] => [name, ascending(values)]),
    ),
  };
}

const base64 = (bits: Uint8Array) => Buffer.from(bits).toString('base64');
const ascending = (pairs: Map<number, number>): [number, number][] => [...pairs].sort(([a], [b]) => a - b);
