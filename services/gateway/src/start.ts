import type { Database } from '@site/server/open-database';
import { startServer, type ListenOptions, type RunningServer } from '@site/server/start-server';
import { createApp } from './app.ts';
import { gatewayDefaults, type GatewayConfig } from './config.ts';
import { gatewayMigrations } from './migrations.ts';
import { startRetention } from './retention.ts';
import type { GatewayTables } from './tables.ts';

export interface GatewayOptions extends ListenOptions {
  /** Opened by the caller, who closes it after the gateway. */
  database: Database;
  config?: Partial<GatewayConfig>;
}

export async function startGateway({
  database,
  config = {},
  ...address
}: GatewayOptions): Promise<RunningServer> {
  const full = { ...gatewayDefaults, ...config };
  await database.migrate('gateway', gatewayMigrations);
  const app = await createApp(full, { database });
  const server = await startServer(app, address);
  const stopRetention = startRetention({
    db: database.schema<GatewayTables>('gateway'),
    retention: full.retention,
    log: app.log,
  });
  return {
    ...server,
    close: async () => {
      await Promise.all([server.close(), stopRetention()]);
    },
  };
}
