import { join } from 'node:path';
import { createAddressReader, toProxyTest } from '@site/server/client-address';
import { inheritedSocket } from '@site/server/inherited-socket';
import { KEEP_ALIVE_SECONDS } from '@site/server/start-server';
import { createAccessLog } from './telemetry/access-log.ts';
import { createAssetArchive } from './archive/asset-archive.ts';
import type { EdgeOptions } from './edge-options.ts';
import { createBlobCache, neededBlobs } from './files/blob-cache.ts';
import { drawBucket } from './releases/bucket.ts';
import { edgePageHtml, headersTooLargePage } from './pages/edge-page.ts';
import { createStartupGate } from './releases/startup-gate.ts';
import { followChannel } from './releases/follow-channel.ts';
import { createRequestHandler } from './requests/handle-request.ts';
import { createHeartbeat } from './releases/heartbeat.ts';
import { createEdgeServer } from './server/listen.ts';
import { loadRelease } from './releases/load-release.ts';
import type { LoadedRelease } from './releases/loaded-release.ts';
import { createJsonLog } from './telemetry/log.ts';
import { createEdgeMetrics } from './telemetry/metrics.ts';
import { createOpsServer } from './server/ops-server.ts';
import { createPreviewKeeper } from './previews/preview-keeper.ts';
import { previewTitle } from './previews/preview-pages.ts';
import { createEdgeClient, RegistryError } from './releases/registry-client.ts';
import { createReleaseCache } from './releases/release-cache.ts';
import { createReleaseKeeper } from './releases/release-keeper.ts';
import { createSignalCounter } from './signals/count-signals.ts';

export interface Address {
  port: number;
  host?: string;
}

export interface RunningEdge {
  url: string;
  port: number;
  opsUrl: string | null;
  /** Reports "not ready" and follows releases until it closes. */
  drain(): void;
  /** Finishes running requests. */
  close(): Promise<void>;
}

export interface Edge {
  /**
   * Serves the release cached on disk while the registry is down. Resolves once it listens. @throws PortError if a
   * port is in use.
   */
  start(address: Address & { ops?: Address | undefined }): Promise<RunningEdge>;
  release(): string | null;
  canaries(): string[];
}

const FINISH_WITHIN_MS = 5_000;
const RESTART_PATIENCE_MS = 10_000;
/** Independent of the poll interval: the registry considers an edge gone after 15 s without a heartbeat. */
const HEARTBEAT_MS = 5_000;
const SIGNALS_MS = 2_000;
/** Less than the 15 s after which a purge no longer waits for a silent edge: see decision 42. */
const PURGED_FOR_MS = 12_000;

export function createEdge(options: EdgeOptions): Edge {
  const { channel, id, cacheDir, pollMs = 5_000, log = createJsonLog('edge'), now = Date.now } = options;
  const { trustProxy = 0 } = options;
  const isProxy = toProxyTest(trustProxy);
  const registry = createEdgeClient(options.registryUrl, options.token);
  const stop = new AbortController();
  /** Aborts whatever running requests still wait for. */
  const abortRequests = new AbortController();
  let isDraining = false;
  let isWaiting = false;
  let purgedUntil = 0;

  const metrics = createEdgeMetrics(() => server.connections());
  const accessLog = options.writeAccessLog ? createAccessLog(options.writeAccessLog) : null;
  const copies = options.isStoreRemote
    ? createBlobCache(options.store, join(cacheDir, 'blobs'), log)
    : {
        store: options.store,
        passing: options.store,
        written: () => Promise.resolve(true),
        keepOnly: () => Promise.resolve(),
      };

  const archive = createAssetArchive({
    store: copies.passing,
    recent: () => keeper.recent(),
    askRegistry: (app, path) => registry.assetIntegrity(app, path, abortRequests.signal),
    now,
  });
  const keeper = createReleaseKeeper({
    store: copies.store,
    cache: createReleaseCache(cacheDir, channel),
    fetchDocument: (release, known, signal) =>
      registry.releaseDocument(release, known, AbortSignal.any([stop.signal, signal])),
    onSuperseded: ({ assets }) => archive.keep(assets),
    onChange: () => report(),
    beforeRemembered: copies.written,
    keepOnly: (documents) => copies.keepOnly(neededBlobs(documents)),
    log,
    metrics,
    signal: stop.signal,
  });
  const startupGate = createStartupGate(keeper, () => report());
  const isReady = () => !isDraining && startupGate.isReady();
  const report = createHeartbeat({
    serving() {
      const live = startupGate.live();
      // A registry of 1.0.0 sends no position, and rejects one.
      const log = keeper.channelState()?.log;
      const digestIn = ({ document: { digest } }: LoadedRelease) => (log && digest ? { digest } : {});
      return {
        channel,
        release: live?.id ?? null,
        canaries: startupGate.canaries().map((canary) => {
          const digest = keeper.digest(canary.release);
          return { ...canary, ...(log && digest ? { digest } : {}) };
        }),
        ...(live ? digestIn(live) : {}),
        ...(log ? { log, clock: now() } : {}),
      };
    },
    async send(serving) {
      const sent = performance.now();
      const answer = await registry.heartbeat(id, serving, stop.signal);
      purgedUntil = answer.purges ? sent + PURGED_FOR_MS : 0;
      signals.useKey(answer.signals.key);
    },
    log,
    signal: stop.signal,
  });
  const signals = createSignalCounter({
    channel,
    shown: startupGate,
    async tell(sums) {
      try {
        await registry.signals(id, sums, abortRequests.signal);
      } catch (error) {
        metrics.signalsHandedOver('failed');
        throw error;
      }
      metrics.signalsHandedOver('taken');
    },
    isRefusal: (error) => error instanceof RegistryError && error.isRefusal,
    onTaken: metrics.signalTaken,
    onDropped: metrics.signalDropped,
    now,
    log,
  });
  const previews = createPreviewKeeper({
    channel,
    ask: (hash) => registry.preview(hash, abortRequests.signal),
    fetchDocument: (hash) => registry.previewDocument(hash, abortRequests.signal),
    load: (document, preview) =>
      loadRelease(document, copies.passing, {
        known: [keeper.live(), ...keeper.sets().map(({ release }) => release)].filter(
          (release) => release !== null,
        ),
        banner: `${previewTitle(preview)}.`,
        ...(preview.dev === null ? {} : { dev: { app: preview.app, origin: preview.dev } }),
      }),
    now,
    log,
  });
  const handle = createRequestHandler({
    releases: startupGate,
    isReady,
    recent: keeper.recent,
    channelState: keeper.channelState,
    archive,
    previews,
    signals,
    random: options.random ?? Math.random,
    drawBucket: options.drawBucket ?? ((caller) => signals.networkBucket(caller) ?? drawBucket()),
    readAddress: createAddressReader(trustProxy),
    isProxied: ({ socket }) => isProxy(socket.remoteAddress ?? '', 0),
    now,
    sendWithinMs: options.sendWithinMs ?? 120_000,
    answerWithinMs: options.answerWithinMs,
    hintsOverHttp1: options.hintsOverHttp1 ?? false,
    redirectsOtherHosts: options.redirectsOtherHosts ?? false,
    isPurged: () => performance.now() < purgedUntil,
    log,
    accessLog,
    metrics,
  });
  const server = createEdgeServer({
    certificate: options.certificate,
    maxConnections: options.maxConnections ?? 10_000,
    onlyHosts: options.onlyHosts,
    headersTooLarge: edgePageHtml(headersTooLargePage),
    idleMs: (options.keepAliveSeconds ?? KEEP_ALIVE_SECONDS) * 1_000,
    onRequest(request, response) {
      if (isDraining && request.httpVersionMajor === 1) response.setHeader('Connection', 'close');
      void handle(request, response);
    },
    onDrop: () => metrics.connectionDropped(),
  });

  const ops = createOpsServer({
    isReady,
    metrics: () => metrics.text(),
    page: options.opsPage,
    onlyHosts: options.onlyHosts,
  });

  async function listenForOps(address: Address | undefined) {
    if (!address) return null;
    try {
      return await ops.listen(address);
    } catch (error) {
      await server.close(0);
      throw error;
    }
  }

  return {
    release: () => startupGate.live()?.id ?? null,
    canaries: () => startupGate.canaries().map(({ release }) => release),

    async start(address) {
      await keeper.restore();
      startupGate.restored();
      const listening = await server.listen({ ...address, ...inheritedSocket('http') });
      const opsListening = await listenForOps(address.ops);
      const following = followChannel({
        registry,
        channel,
        pollMs,
        isServing: () => keeper.live() !== null,
        position: () => keeper.channelState()?.log ?? null,
        knownDigest: keeper.digest,
        onState(state) {
          if (state.live === null && !isWaiting) {
            log.info({ channel }, 'the channel has no release yet; this edge waits for the first one');
            // Activations then wait for this edge as well.
            report();
          }
          isWaiting = state.live === null;
          keeper.moveTo(state);
          void keeper.settled().then(startupGate.caughtUp);
        },
        onUnreachable: startupGate.registryUnreachable,
        onRejected: startupGate.registryRejected,
        log,
        signal: stop.signal,
      });
      const patience = setTimeout(startupGate.open, options.restartPatienceMs ?? RESTART_PATIENCE_MS);
      patience.unref();
      const heartbeat = setInterval(report, Math.min(pollMs, HEARTBEAT_MS));
      heartbeat.unref();
      const handOver = setInterval(() => void signals.tick(), options.signalsMs ?? SIGNALS_MS);
      handOver.unref();

      return {
        ...listening,
        opsUrl: opsListening?.url ?? null,
        drain: () => {
          isDraining = true;
        },
        async close() {
          isDraining = true;
          stop.abort();
          clearInterval(heartbeat);
          clearInterval(handOver);
          clearTimeout(patience);
          const timer = setTimeout(() => abortRequests.abort(), FINISH_WITHIN_MS);
          await server.close(FINISH_WITHIN_MS);
          await signals.finish();
          // Close last: until now it reports "not ready" to load balancers.
          if (opsListening) await ops.close(0);
          clearTimeout(timer);
          await registry.goodbye(id).catch(() => undefined);
          await following.ended;
          await keeper.settled();
          accessLog?.flush();
        },
      };
    },
  };
}
