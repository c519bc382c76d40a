import type { Cluster } from './cluster.ts';
import { until } from '../../e2e/harness/until.ts';

/** A server that tests kill and restart. */
export interface Victim {
  kill(): void;
  /** Resolves when the registry responds again. */
  revive(): Promise<void>;
}

/** Waits until the registry runs and has reconnected to its database. */
export async function reachable(cluster: Cluster): Promise<void> {
  const status = () =>
    cluster.ask('GET', '/v1/channels/production').then(
      (answer) => answer.status,
      () => null,
    );
  await until(async () => (await status()) === 200);
}

/** The servers that process all reports. */
export const victims = {
  'the registry': (cluster: Cluster): Victim => ({
    kill: () => cluster.registry.kill(),
    async revive() {
      await cluster.registry.start();
      await reachable(cluster);
    },
  }),
  PostgreSQL(cluster: Cluster): Victim {
    const { postgres } = cluster;
    if (!postgres) throw new Error('Others use this PostgreSQL, too: start the cluster with a separate one.');
    return {
      kill: () => postgres.kill(),
      async revive() {
        await postgres.restart();
        await reachable(cluster);
      },
    };
  },
};
