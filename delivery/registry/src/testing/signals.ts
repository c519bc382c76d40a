import type { Sketch } from '@site/contract/signals/sketch';
import type { Cell, EdgeSums, FaultSum, Slowest } from '@site/contract/signals/sums.schema';
import type { Harness } from './harness.ts';

/** The bits of `count` networks, starting with number `from`. */
export function networks(count: number, from = 0): string {
  const bytes = Buffer.alloc(32);
  for (let bit = from; bit < from + count; bit++) {
    const index = Math.floor((bit % 256) / 8);
    bytes[index] = (bytes[index] ?? 0) | (1 << (bit % 8));
  }
  return bytes.toString('base64');
}

/** Each value from another network, up to the number of bits. */
const slowestValues = (sketch: Sketch): Slowest =>
  sketch
    .flatMap(([bucket, count]) => Array.from({ length: count }, () => bucket))
    .slice(-256)
    .map((bucket, bit) => [bit, bucket]);

/** Reports of a version's views on a route, each from another network, up to the number of bits. */
export function makeCell(cell: Pick<Cell, 'app' | 'version' | 'views'> & Partial<Cell>): Cell {
  const { views, faults = 0, formsSent = 0, formsFailed = 0 } = cell;
  return {
    route: '/blocks',
    role: 'live',
    build: 'live',
    stretch: 'first',
    engine: 'other',
    formsRefused: 0,
    formsSent,
    formsFailed,
    ...(formsSent + formsFailed > 0 ? { formSenders: networks(Math.min(formsSent + formsFailed, 256)) } : {}),
    ...(formsFailed > 0 ? { failedFormSenders: networks(Math.min(formsFailed, 256)) } : {}),
    ...(cell.lcp ? { lcpSlowest: slowestValues(cell.lcp) } : {}),
    ...(cell.inp ? { inpSlowest: slowestValues(cell.inp) } : {}),
    visitors: networks(Math.min(views, 256)),
    ...cell,
    faults,
    ...(faults > 0 && cell.networks === undefined ? { networks: networks(Math.min(faults, 256)) } : {}),
  };
}

type SentFault = Omit<FaultSum, 'browsers'> & Partial<FaultSum>;

/** An edge process that reports its counts. */
export interface TestEdge {
  /** Sends the next batch. @returns whether it was counted. */
  tell(cells: readonly Cell[], more?: { faults?: readonly SentFault[]; at?: Date }): Promise<boolean>;
  send(batch: EdgeSums): Promise<{ status: number; body: { counted: boolean } }>;
  next(cells: readonly Cell[], more?: { faults?: readonly SentFault[]; at?: Date }): EdgeSums;
}

let boots = 0;

export function testEdge(registry: Harness): TestEdge {
  const boot = `00000000-0000-4000-8000-${String(++boots).padStart(12, '0')}`;
  let sequence = 0;
  const edge: TestEdge = {
    next: (cells, { faults = [], at = registry.clock.now } = {}) => ({
      boot,
      sequence: ++sequence,
      at: at.toISOString(),
      channel: 'production',
      cells: [...cells],
      faults: faults.map((fault) => ({ browsers: {}, ...fault })),
    }),
    send: (batch) => registry.send('POST', '/v1/edges/edge-1/signals', { as: 'edge', body: batch }),
    async tell(cells, more) {
      const { status, body } = await edge.send(edge.next(cells, more));
      if (status !== 200) throw new Error(`The batch was refused: ${JSON.stringify(body)}`);
      return body.counted;
    },
  };
  return edge;
}
