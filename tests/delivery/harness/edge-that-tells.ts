import { randomUUID } from 'node:crypto';
import type { EdgeSums } from '@site/contract/signals/sums.schema';
import type { Cluster } from './cluster.ts';
import { makeEdgeToken } from './edge-token.ts';

/** Submits browsers' reports to the registry, like an edge. */
export type Tell = (told: Partial<Pick<EdgeSums, 'cells' | 'faults'>>) => Promise<void>;

/** An edge without visitors that submits reports. */
export async function edgeThatTells(cluster: Cluster): Promise<Tell> {
  const as = await makeEdgeToken(cluster.registry.url, cluster.tokens.ops, 'edge-that-tells');
  const boot = randomUUID();
  let sequence = 0;
  return async ({ cells = [], faults = [] }) => {
    const batch: EdgeSums = {
      boot,
      sequence: (sequence += 1),
      at: new Date().toISOString(),
      channel: 'production',
      cells,
      faults,
    };
    const { status, body } = await cluster.ask('POST', '/v1/edges/edge-that-tells/signals', {
      as,
      body: batch,
    });
    if (status !== 200) throw new Error(`The batch was refused: ${JSON.stringify(body)}`);
  };
}
