import { join } from 'node:path';
import * as v from 'valibot';
import { openStore } from '@site/artifacts/open-store';
import { TokenSchema } from '@site/contract/secret.schema';
import { startTracing } from '@site/contract/tracing';
import { startComposer } from '@site/composer/start-composer';
import { adminTokenVariable } from '@site/server/admin-access';
import {
  artifactVariables,
  decimalVariable,
  listVariable,
  numberVariable,
  portVariable,
  readConfig,
  serverVariables,
  tracingSettings,
  urlVariable,
} from '@site/server/config';
import { runProcess } from '@site/server/run-process';
import { withDatabase } from '@site/server/with-database';
import { AuditKeySchema, AuditPublicKeySchema, createAuditKey, keptAuditSecret } from './upkeep/index.ts';
import { startRegistry } from './create-registry-app.ts';
import { readCaches } from './purging/index.ts';
import { defaultLimits } from './versions/index.ts';

const ConfigSchema = v.pipe(
  v.object({
    ...serverVariables,
    PORT: portVariable(8083),
    ...artifactVariables,
    /** The first ops token, `site_…`; creates all other tokens; needed once per database. */
    OPS_TOKEN: v.optional(TokenSchema),
    /** Maximum concurrent renderings; 0: the number of cores, at most 4. */
    COMPOSE_AT_ONCE: numberVariable(0, 0, 64),
    FORMS_URL: v.optional(urlVariable()),
    INBOX_TOKEN: adminTokenVariable,
    /**
     * Signs the audit log's anchors; the same for all registries of a database. Default: created in `DATA_DIR`.
     */
    AUDIT_KEY: v.optional(AuditKeySchema),
    QUOTA_VERSIONS: numberVariable(defaultLimits.versionsPerApp, 1, 1_000_000),
    QUOTA_GIGABYTES: decimalVariable(defaultLimits.bytesPerApp / 1e9, 0.001, 1_000_000),
    REQUESTS_PER_MINUTE: numberVariable(defaultLimits.requestsPerMinute, 1, 1_000_000),
    PUBLISHES_PER_MINUTE: numberVariable(defaultLimits.changesPerMinute, 1, 1_000_000),
    UPLOAD_GIGABYTES_PER_HOUR: decimalVariable(defaultLimits.uploadedBytesPerHour / 1e9, 0.001, 1_000_000),
    /** Caches in front of the edges, by channel, such as `varnish:http://10.0.0.5:6081`. */
    PURGE_PRODUCTION: listVariable(),
    PURGE_STAGING: listVariable(),
    VARNISH_KEY: v.optional(v.string()),
    FASTLY_KEY: v.optional(v.string()),
    CLOUDFLARE_KEY: v.optional(v.string()),
    PURGE_WEBHOOK_KEY: v.optional(v.string()),
    AUDIT_FORMER_KEYS: v.pipe(listVariable(), v.array(AuditPublicKeySchema)),
  }),
  v.forward(
    v.check(
      ({ FORMS_URL, INBOX_TOKEN }) => FORMS_URL === undefined || INBOX_TOKEN !== undefined,
      'FORMS_URL needs it: the same as the INBOX_TOKEN of the forms service.',
    ),
    ['INBOX_TOKEN'],
  ),
);

await runProcess(async () => {
  const config = readConfig(ConfigSchema, process.env);
  await startTracing({ ...tracingSettings(config), service: 'registry', trustsCallers: true });
  const caches = readCaches({ production: config.PURGE_PRODUCTION, staging: config.PURGE_STAGING }, config);
  return withDatabase({ ...config, folder: 'registry-database', printed: 'registry:' }, async (database) => {
    const composer = startComposer({ atOnce: config.COMPOSE_AT_ONCE || undefined });
    try {
      const registry = await startRegistry({
        port: config.PORT,
        host: config.HOST,
        keepAliveSeconds: config.KEEP_ALIVE_SECONDS,
        database,
        store: await openStore(config.ARTIFACTS ?? join(config.DATA_DIR, 'artifacts'), {
          endpoint: config.S3_ENDPOINT,
          region: config.AWS_REGION,
        }),
        composer,
        auditKey: createAuditKey(config.AUDIT_KEY ?? (await keptAuditSecret(config.DATA_DIR))),
        formerAuditKeys: config.AUDIT_FORMER_KEYS,
        inbox: inboxConfig(config),
        caches,
        bootstrapTokens: config.OPS_TOKEN ? [{ name: 'ops', token: config.OPS_TOKEN, scopes: ['ops'] }] : [],
        limits: {
          versionsPerApp: config.QUOTA_VERSIONS,
          bytesPerApp: config.QUOTA_GIGABYTES * 1e9,
          requestsPerMinute: config.REQUESTS_PER_MINUTE,
          changesPerMinute: config.PUBLISHES_PER_MINUTE,
          uploadedBytesPerHour: config.UPLOAD_GIGABYTES_PER_HOUR * 1e9,
        },
        trustProxy: config.TRUST_PROXY,
        logLevel: config.LOG_LEVEL,
      });
      return {
        ...registry,
        async close() {
          await registry.close();
          await composer.close();
        },
      };
    } catch (error) {
      await composer.close();
      throw error;
    }
  });
});

function inboxConfig({ FORMS_URL: url, INBOX_TOKEN: token }: v.InferOutput<typeof ConfigSchema>) {
  return url === undefined || token === undefined ? null : { url, token };
}
