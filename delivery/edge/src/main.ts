/** An edge as a process of its own: `node delivery/edge/src/main.ts`, configured by the environment. */
import { hostname } from 'node:os';
import { join } from 'node:path';
import * as v from 'valibot';
import { createDiskStore } from '@site/artifacts/disk-store';
import { ChannelNameSchema } from '@site/contract';
import { numberVariable, portVariable, readConfig, serverVariables, urlVariable } from '@site/server/config';
import { runProcess } from '@site/server/run-process';
import { createEdge } from './create-edge.ts';

const { HOST, DATA_DIR } = serverVariables;
const EnvSchema = v.object({
  HOST,
  DATA_DIR,
  PORT: portVariable(8080),
  REGISTRY_URL: urlVariable(),
  /** A registry token of scope `read`. */
  READ_TOKEN: v.string(),
  CHANNEL: v.optional(ChannelNameSchema, 'production'),
  /** Where published files are kept. Default: `<DATA_DIR>/artifacts`. */
  ARTIFACTS_DIR: v.optional(v.string()),
  /** Names this edge in `site status`; two edges must not share it. */
  EDGE_ID: v.optional(v.string()),
  POLL_SECONDS: numberVariable(5, 1, 3600),
});

await runProcess(async () => {
  const env = readConfig(EnvSchema, process.env);
  const edge = createEdge({
    registryUrl: env.REGISTRY_URL,
    token: env.READ_TOKEN,
    store: createDiskStore(env.ARTIFACTS_DIR ?? join(env.DATA_DIR, 'artifacts')),
    channel: env.CHANNEL,
    cacheDir: join(env.DATA_DIR, 'edge'),
    id: env.EDGE_ID ?? `${hostname()}-${env.PORT}`,
    pollMs: env.POLL_SECONDS * 1000,
  });
  const running = await edge.start({ port: env.PORT, host: env.HOST });
  process.stdout.write(`edge: ${running.url}\n`);
  return running;
});
