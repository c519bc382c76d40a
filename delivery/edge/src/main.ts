import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createSecureContext } from 'node:tls';
import * as v from 'valibot';
import { openStore } from '@site/artifacts/open-store';
import { ChannelNameSchema } from '@site/contract';
import { EdgeIdSchema } from '@site/contract/registry-calls/scopes';
import { TokenSchema } from '@site/contract/secret.schema';
import { startTracing } from '@site/contract/tracing';
import {
  artifactVariables,
  ConfigError,
  numberVariable,
  portVariable,
  readConfig,
  serverVariables,
  switchVariable,
  textVariable,
  tracingSettings,
  urlVariable,
} from '@site/server/config';
import { runProcess } from '@site/server/run-process';
import { writeLog } from '@site/server/write-log';
import { createEdge } from './create-edge.ts';
import type { Certificate } from './server/listen.ts';

const { DATABASE_URL: _database, LOG_LEVEL: _logLevel, ...variables } = serverVariables;
const EnvSchema = v.object({
  ...variables,
  PORT: portVariable(8080),
  OPS_PORT: portVariable(8090),
  OPS_HOST: textVariable('localhost'),
  REGISTRY_URL: urlVariable(),
  EDGE_ID: EdgeIdSchema,
  EDGE_TOKEN: TokenSchema,
  CHANNEL: v.optional(ChannelNameSchema, 'production'),
  ...artifactVariables,
  POLL_SECONDS: numberVariable(5, 1, 3600),
  /** PEM files. With both, the edge serves HTTPS and HTTP/2 itself, without a proxy. */
  TLS_CERT: v.optional(v.string()),
  TLS_KEY: v.optional(v.string()),
  ACCESS_LOG: switchVariable(true),
  MAX_CONNECTIONS: numberVariable(10_000, 1, 1_000_000),
  /** Redirect pages at other host names. `false` for a proxy that hides the visitor's. */
  REDIRECT_HOSTS: switchVariable(true),
  /** 103 Early Hints over HTTP/1.1: only behind a proxy that forwards them. Over HTTP/2 they are always sent. */
  EARLY_HINTS: switchVariable(false),
});

await runProcess(async () => {
  const env = readConfig(EnvSchema, process.env);
  await startTracing({ ...tracingSettings(env), service: 'edge', instance: env.EDGE_ID });
  const artifacts = env.ARTIFACTS ?? join(env.DATA_DIR, 'artifacts');
  const edge = createEdge({
    registryUrl: env.REGISTRY_URL,
    token: env.EDGE_TOKEN,
    store: await openStore(artifacts, { endpoint: env.S3_ENDPOINT, region: env.AWS_REGION }),
    isStoreRemote: artifacts.includes('://'),
    channel: env.CHANNEL,
    cacheDir: join(env.DATA_DIR, 'edge'),
    id: env.EDGE_ID,
    pollMs: env.POLL_SECONDS * 1000,
    certificate: await readCertificate(env.TLS_CERT, env.TLS_KEY),
    maxConnections: env.MAX_CONNECTIONS,
    trustProxy: env.TRUST_PROXY,
    hintsOverHttp1: env.EARLY_HINTS,
    keepAliveSeconds: env.KEEP_ALIVE_SECONDS,
    redirectsOtherHosts: env.REDIRECT_HOSTS,
    writeAccessLog: env.ACCESS_LOG ? writeLog : undefined,
  });
  const running = await edge.start({
    port: env.PORT,
    host: env.HOST,
    ops: { port: env.OPS_PORT, host: env.OPS_HOST },
  });
  writeLog(`edge: ${running.url}\n`);
  return { ...running, drainSeconds: env.DRAIN_SECONDS };
});

/** @throws ConfigError if only one is set or they are not a certificate and its key. */
async function readCertificate(
  certFile: string | undefined,
  keyFile: string | undefined,
): Promise<Certificate | undefined> {
  if (certFile === undefined && keyFile === undefined) return undefined;
  if (certFile === undefined || keyFile === undefined)
    throw new ConfigError('TLS_CERT and TLS_KEY belong together: set both, or neither.');
  const read = (name: string, file: string) =>
    readFile(file, 'utf8').catch((cause: unknown) => {
      throw new ConfigError(`${name} names "${file}", which cannot be read (${(cause as Error).message}).`, {
        cause,
      });
    });
  const certificate = { cert: await read('TLS_CERT', certFile), key: await read('TLS_KEY', keyFile) };
  try {
    createSecureContext(certificate);
  } catch (cause) {
    throw new ConfigError(
      `TLS_CERT ("${certFile}") and TLS_KEY ("${keyFile}") are not a certificate and its key, both as PEM ` +
        `(${(cause as Error).message}).`,
      { cause },
    );
  }
  return certificate;
}
