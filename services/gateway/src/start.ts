import type { Database } from '@site/server/open-database';
import { startServer, type RunningServer } from '@site/server/start-server';
import { createApp } from './app.ts';
import { gatewayDefaults, type GatewayConfig } from './config.ts';
import { gatewayMigrations } from './migrations.ts';
import { startRetention } from './retention.ts';
import type { GatewayTables } from './tables.ts';

export interface GatewayOptions {
  port: number;
  host: string;
  keepAliveSeconds?: number;
  database: Database;
  config?: Partial<GatewayConfig>;
}

export async function startGateway({
  port,
  host,
  keepAliveSeconds,
  database,
  config = {},
}: GatewayOptions): Promise<RunningServer> {
  const full = { ...gatewayDefaults, ...config };
  await database.migrate('gateway', gatewayMigrations);
  const app = await createApp(full, { database });
  const server = await startServer(app, { port, host, keepAliveSeconds });
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
