import type { FastifyInstance } from 'fastify';
import { ArtifactStoreError } from '@site/artifacts/artifact-store';
import type { SiteStore } from '@site/artifacts/record-store';
import type { Composer } from '@site/composer/create-composer';
import type { TrustedProxies } from '@site/server/client-address';
import { baseErrors } from '@site/server/base-errors';
import type { LogLevel } from '@site/server/config';
import { createServer } from '@site/server/create-server';
import { isDiskFull } from '@site/server/error-document';
import type { Database } from '@site/server/open-database';
import { serveOpenApi } from '@site/server/openapi';
import {
  registryDescription,
  CONSOLE_DIR,
  consoleFiles,
  compressForConsole,
  consoleRoutes,
  viewRoutes,
  createRegistryMetrics,
} from './console/index.ts';
import { createAuditAnchors, type AuditKey, keepAnchored, upkeepRoutes } from './upkeep/index.ts';
import { type OutsideChecks, alertRoutes, keepAlerting } from './alerts/index.ts';
import { registryMigrations } from './kernel/migrations.ts';
import { createDatabaseClock, type DatabaseClock } from './kernel/database-clock.ts';
import type { RegistryTables } from './kernel/tables.ts';
import { registryErrors } from './kernel/registry-errors.ts';
import {
  askFormContracts,
  type AskFormContracts,
  blobRoutes,
  compressInBackground,
  defaultLimits,
  type RegistryLimits,
} from './versions/index.ts';
import { createInboxService, type InboxConfig, inboxRoutes } from './inbox/index.ts';
import { appRoutes } from './apps/index.ts';
import {
  createChannelEvents,
  createChannelEtags,
  channelRoutes,
  keepCanariesRendered,
  releaseRoutes,
} from './channels/index.ts';
import { type Cache, keepPurging } from './purging/index.ts';
import { saveCaches } from './kernel/cache.repository.ts';
import { edgeRoutes } from './edges/index.ts';
import { guardRoutes, keepGuarding } from './guard/index.ts';
import { packageRoutes, publishRoutes } from './packages/index.ts';
import { previewRoutes } from './previews/index.ts';
import {
  tokenLimits,
  exchangeRoutes,
  trustRoutes,
  sessionRoutes,
  authenticateRequest,
  authenticate,
  type BootstrapToken,
  saveBootstrapTokens,
} from './access/index.ts';
import { refuseUnstorable } from './kernel/refuse-unstorable.ts';
import { versionRoutes } from './publishing/index.ts';
import { everyTwoSeconds, type Poller } from './kernel/scheduling.ts';
import { isFromThisMachine } from './kernel/from-this-machine.ts';
import { limitArrivingBodies } from './kernel/arriving-bodies.ts';
import { createProtectedStore } from './kernel/blob-protection.ts';
import { createCompressingTurns } from './kernel/compressing.ts';
import { createSearchingTurns } from './pages/index.ts';
import type { RegistryContext } from './kernel/context.ts';
import { createUploadAllowance } from './kernel/upload-allowance.ts';
import { startServer, type ListenOptions, type RunningServer } from '@site/server/start-server';

export interface RegistryOptions {
  database: Database;
  store: SiteStore;
  composer: Composer;
  /** The key that signs the audit log's anchors. Identical for all processes of a database. */
  auditKey: AuditKey;
  askForms?: AskFormContracts | undefined;
  inbox?: InboxConfig | null | undefined;
  formerAuditKeys?: readonly string[] | undefined;
  /** The caches to purge. The same for all processes of a database. */
  caches?: readonly Cache[] | undefined;
  /** Stored (hashed) at every start, so that the first command has a token. */
  bootstrapTokens?: readonly BootstrapToken[] | undefined;
  trustProxy?: TrustedProxies | undefined;
  logLevel?: LogLevel | undefined;
  logStream?: { write(line: string): void } | undefined;
  /** Limits per app and per token. Default: `defaultLimits`. */
  limits?: Partial<RegistryLimits> | undefined;
  now?: (() => Date) | undefined;
  /** For tests. Default: the database's. */
  clock?: DatabaseClock;
  /** Interval of the guard and of alerts. Default: two seconds. */
  lookAgain?: Poller | undefined;
  /** For tests. */
  outsideChecks?: Partial<OutsideChecks>;
}

export async function createRegistryApp(options: RegistryOptions): Promise<FastifyInstance> {
  const { database, store, composer, auditKey, formerAuditKeys = [], bootstrapTokens = [] } = options;
  await database.migrate('registry', registryMigrations);
  const db = database.schema<RegistryTables>('registry');
  const clock = options.clock ?? (await createDatabaseClock(db));
  const { now = clock.now } = options;
  await saveBootstrapTokens(db, bootstrapTokens, now());
  const { caches = [] } = options;
  await saveCaches(db, caches);

  const limits = { ...defaultLimits, ...options.limits };
  const { registry: metrics, ...counters } = createRegistryMetrics({ db, now, clock });
  const context: RegistryContext = {
    db,
    store: createProtectedStore(store, { db, now }),
    composer,
    compressing: createCompressingTurns(),
    searching: createSearchingTurns(),
    askForms: options.askForms ?? askFormContracts,
    inbox: options.inbox ? createInboxService(options.inbox) : null,
    deriveSecret: (salt) => auditKey.deriveSecret(salt),
    anchors: createAuditAnchors({
      db,
      records: store.records,
      key: auditKey,
      formerKeys: formerAuditKeys,
      now,
    }),
    limits,
    uploads: createUploadAllowance(limits.uploadedBytesPerHour, now),
    metrics: counters,
    now,
    clock,
  };
  const app = await createServer({
    name: 'registry',
    ready: () => database.ping(),
    // Each call limits its body (`mountCalls`), except a restore, which takes as long as its backup is large.
    requestTimeout: 0,
    bodyTimeout: 30_000,
    metrics,
    async mayReadMetrics(request) {
      if (!isFromThisMachine(request)) await authenticate(db, request.headers.authorization, now());
    },
    ...(options.trustProxy === undefined ? {} : { trustProxy: options.trustProxy }),
    ...(options.logLevel ? { logLevel: options.logLevel } : {}),
    ...(options.logStream ? { logStream: options.logStream } : {}),
  });
  const following = {
    database,
    db,
    now,
    onProblem: (error: unknown) =>
      app.log.error(
        { err: error },
        'some followers were not told about a change; edges and the console will ask for it',
      ),
  };
  const events = await createChannelEvents(following);
  const marks = await createChannelEtags(following);
  const compared = keepAnchored(app, context.anchors);
  const { lookAgain = everyTwoSeconds } = options;
  // A copy of a database must not act or send alerts.
  const onceCompared: Poller = (look, onProblem) => lookAgain(() => compared.then(look), onProblem);
  keepGuarding(app, context, onceCompared);
  keepCanariesRendered(app, context, onceCompared);
  keepAlerting(app, context, onceCompared, options.outsideChecks);
  await keepPurging(app, context, { caches, database, lookAgain: onceCompared });
  // Close streams first, or shutdown hangs.
  app.addHook('preClose', async () => {
    await Promise.all([events.close(), marks.close()]);
  });

  serveOpenApi(app, registryDescription);
  app.decorateRequest('actor', null);
  const limitToken = await tokenLimits(app, limits, context.uploads);
  await consoleRoutes(app, context);
  await exchangeRoutes(app, context);
  await packageRoutes(app, context);
  consoleFiles(app, CONSOLE_DIR);
  await app.register((api, _options, done) => {
    api.addHook('onRequest', async (request) => {
      request.actor = await authenticateRequest(context, request);
      await limitToken(request);
    });
    api.setErrorHandler((error) => {
      throw error instanceof ArtifactStoreError ? storeUnavailable(error) : error;
    });
    api.addHook('preValidation', refuseUnstorable);
    limitArrivingBodies(api);
    compressForConsole(api);
    blobRoutes(api, context);
    appRoutes(api, context);
    versionRoutes(api, context);
    channelRoutes(api, context, events);
    edgeRoutes(api, context);
    guardRoutes(api, context);
    alertRoutes(api, context);
    previewRoutes(api, context);
    publishRoutes(api, context);
    upkeepRoutes(api, context, compressInBackground(app, context));
    trustRoutes(api, context);
    releaseRoutes(api, context);
    sessionRoutes(api, context);
    viewRoutes(api, context, marks);
    inboxRoutes(api, context);
    done();
  });
  return app;
}

function storeUnavailable(error: ArtifactStoreError) {
  if (isDiskFull(error))
    return baseErrors.disk_full('The disk of the artifact store is full.', { cause: error });
  // The error's own message names local folders, so it is only logged.
  return registryErrors.store_unavailable('Files cannot be read or written.', { cause: error });
}

export interface StartRegistryOptions extends RegistryOptions, ListenOptions {}

export async function startRegistry({
  port,
  host,
  keepAliveSeconds,
  onlyHosts,
  ...options
}: StartRegistryOptions): Promise<RunningServer> {
  return startServer(await createRegistryApp(options), { port, host, keepAliveSeconds, onlyHosts });
}
