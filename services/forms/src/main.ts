import { readConfig } from '@site/server/config';
import { runProcess } from '@site/server/run-process';
import { withDatabase } from '@site/server/with-database';
import { readFormsConfig, FormsEnvSchema } from './config.ts';
import { startForms } from './start.ts';

await runProcess(async () => {
  const env = readConfig(FormsEnvSchema, process.env);
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
