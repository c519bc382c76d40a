import { startTracing } from '@site/contract/tracing';
import { readConfig, tracingSettings } from '@site/server/config';
import { runProcess } from '@site/server/run-process';
import { withDatabase } from '@site/server/with-database';
import { readGatewayConfig, GatewayEnvSchema } from './config.ts';
import { startGateway } from './start.ts';

await runProcess(async () => {
  const env = readConfig(GatewayEnvSchema, process.env);
  await startTracing({ ...tracingSettings(env), service: 'gateway' });
  return withDatabase(env, (database) =>
    startGateway({
      port: env.PORT,
      host: env.HOST,
      keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
      database,
      config: readGatewayConfig(env),
    }),
  );
});
