import { startTracing } from '@site/contract/tracing';
import { readConfig, tracingSettings } from '@site/server/config';
import { runProcess } from '@site/server/run-process';
import { withDatabase } from '@site/server/with-database';
import { readFormsConfig, FormsEnvSchema } from './config.ts';
import { startForms } from './start.ts';

await runProcess(async () => {
  const env = readConfig(FormsEnvSchema, process.env);
  await startTracing({ ...tracingSettings(env), service: 'forms' });
  return withDatabase(env, (database) =>
    startForms({
      port: env.PORT,
      host: env.HOST,
      keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
      database,
      config: readFormsConfig(env),
    }),
  );
});
