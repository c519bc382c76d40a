import { join } from 'node:path';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { mustLeave, type ChannelName, type ReleaseDocument } from '@site/contract';
import { createAddressReader, type TrustedProxies } from '@site/server/client-address';
import { createAccessLog } from './access-log.ts';
import { createAssetArchive } from './asset-archive.ts';
import { createBlobCache } from './blob-cache.ts';
import { drawBucket } from './canary.ts';
import { followChannel, type Follower } from './follow-channel.ts';
import { createRequestHandler } from './handle-request.ts';
import { createHeartbeat } from './heartbeat.ts';
import { createEdgeServer, type Certificate } from './listen.ts';
import { loadRelease } from './load-release.ts';
import { createJsonLog, type EdgeLog } from './log.ts';
import { createEdgeMetrics } from './metrics.ts';
import { createOpsServer } from './ops-server.ts';
import { createPreviewKeeper } from './preview-keeper.ts';
import { previewTitle } from './preview-pages.ts';
import { createRegistryClient } from './registry-client.ts';
import { createReleaseCache } from './release-cache.ts';
import { createReleaseKeeper } from './release-keeper.ts';

export interface EdgeOptions {
  registryUrl: string;
  /** A registry token of scope `edge:<id>`. */
  token: string;
  store: ArtifactStore;
  /** Whether the store is on another machine: then copies of what is served are kept in `cacheDir`. */
  isStoreRemote?: boolean;
  channel: ChannelName;
  /** A folder of this edge's own: the last release is remembered there. */
  cacheDir: string;
  /** Names this edge to the registry; its token speaks for no other. */
  id: string;
  /** How often the registry is asked for the channel's state beside its events. */
  pollMs?: number;
  /** After a restart: how long the registry is waited for before what the disk remembers is served. */
  restartPatienceMs?: number;
  /** Draws variants; a number in [0, 1). */
  random?: () => number;
  /** Draws the bucket of a visitor who has none: a whole number from 0 to 9999. */
  drawBucket?: () => number;
  /** Milliseconds since 1970. */
  now?: () => number;
  log?: EdgeLog;
  /** Takes the access log, one JSON object a line. None is kept without. */
  writeAccessLog?: ((lines: string) => void) | undefined;
  /** Serve HTTPS with HTTP/2, instead of HTTP/1.1 for a proxy in front. */
  certificate?: Certificate | undefined;
  /** More connections than this at a time are closed as they come. */
  maxConnections?: number;
  /** The proxies in front, whose word about who is calling counts. Default: none. */
  trustProxy?: TrustedProxies;
  /** An answer that its reader has not taken by then is cut off. */
  sendWithinMs?: number;
  /** Send 103 Early Hints over HTTP/1.1, too: only when whatever stands in front is known to pass them on. */
  hintsOverHttp1?: boolean;
  /** A larger table of remotes, routes and redirects is a file of its own. Bytes; the same on every edge of a site. */
  inlineTableBytes?: number;
}

export interface Address {
  port: number;
  host?: string;
}

export interface RunningEdge {
  url: string;
  port: number;
  /** Where it answers operators; null when it was not asked to. */
  opsUrl: string | null;
  /** Stops following and listening; lets requests under way finish. */
  close(): Promise<void>;
}

export interface Edge {
  /**
   * Listens and follows the registry; serves what the disk remembers when the registry is away. Resolves as soon as it
   * listens.
   * @throws PortError when a port is in use.
   */
  start(address: Address & { ops?: Address | undefined }): Promise<RunningEdge>;
  /** The id of the stable release served now. */
  release(): string | null;
  /** The id of the release that a canary shows now. */
  candidate(): string | null;
}

const finishWithinMs = 5_000;
const restartPatienceMs = 10_000;
/** However seldom an edge polls: the registry counts one that was silent for 15 s as gone. */
const heartbeatMs = 5_000;

/** The web server that visitors talk to. */
export function createEdge(options: EdgeOptions): Edge {
  const { channel, id, cacheDir, pollMs = 5_000, log = createJsonLog('edge'), now = Date.now } = options;
  const { inlineTableBytes } = options;
  const registry = createRegistryClient(options.registryUrl, options.token);
  /** Ends following the registry. */
  const stop = new AbortController();
  /** Ends what requests under way still wait for. */
  const hurry = new AbortController();
  const isStopping = () => stop.signal.aborted;
  const isReady = () => !isStopping() && hasCaughtUp && current() !== null;
  /** A restarted edge takes no traffic with an old release while the registry can tell it the new one. */
  let hasCaughtUp = false;
  /** Nothing of what the disk remembers is shown before the registry was asked: it may have been taken back meanwhile. */
  let isOpen = false;
  const current = () => (isOpen ? keeper.current() : null);
  const candidate = () => (isOpen ? keeper.candidate() : null);
  let follower: Follower | null = null;

  const metrics = createEdgeMetrics(() => server.connections());
  const accessLog = options.writeAccessLog ? createAccessLog(options.writeAccessLog) : null;
  const copies = options.isStoreRemote
    ? createBlobCache(options.store, join(cacheDir, 'blobs'), log)
    : { store: options.store, passing: options.store, keepOnly: () => Promise.resolve() };

  const archive = createAssetArchive({
    store: copies.passing,
    recent: () => keeper.recent(),
    askRegistry: (app, path) => registry.assetIntegrity(app, path, hurry.signal),
    live: (url) => keeper.current()?.assets.get(url) ?? keeper.candidate()?.live.assets.get(url) ?? null,
    catchUp,
    inlineTableBytes,
    now,
  });
  const keeper = createReleaseKeeper({
    store: copies.store,
    inlineTableBytes,
    cache: createReleaseCache(cacheDir, channel),
    fetchDocument: (release, signal) =>
      registry.releaseDocument(release, AbortSignal.any([stop.signal, signal])),
    onRetired: ({ assets }) => archive.keep(assets),
    onChange: () => report(),
    onRemembered: (documents) => copies.keepOnly(blobsOf(documents)),
    log,
    metrics,
    signal: stop.signal,
  });
  const report = createHeartbeat({
    serving() {
      const live = current();
      const canary = candidate();
      const shown = canary && { release: canary.live.id, share: canary.share };
      return live && { channel, release: live.id, candidate: shown };
    },
    tell: (serving) => registry.heartbeat(id, serving, stop.signal),
    log,
    signal: stop.signal,
  });
  const previews = createPreviewKeeper({
    channel,
    ask: (hash) => registry.preview(hash, hurry.signal),
    fetchDocument: (hash) => registry.previewDocument(hash, hurry.signal),
    load: (document, preview) =>
      loadRelease(document, copies.passing, {
        known: [keeper.current(), keeper.candidate()?.live].filter((live) => live != null),
        inlineTableBytes,
        banner: `${previewTitle(preview)}.`,
        ...(preview.dev === null ? {} : { dev: { app: preview.app, origin: preview.dev } }),
      }),
    now,
    log,
  });
  const handle = createRequestHandler({
    current,
    candidate,
    isReady,
    told: keeper.told,
    archive,
    previews,
    random: options.random ?? Math.random,
    drawBucket: options.drawBucket ?? drawBucket,
    addressOf: createAddressReader(options.trustProxy ?? 0),
    now,
    sendWithinMs: options.sendWithinMs ?? 120_000,
    hintsOverHttp1: options.hintsOverHttp1 ?? false,
    log,
    accessLog,
    metrics,
  });
  const server = createEdgeServer({
    certificate: options.certificate,
    maxConnections: options.maxConnections ?? 10_000,
    idleMs: 60_000,
    onRequest(request, response) {
      if (isStopping() && request.httpVersionMajor === 1) response.setHeader('Connection', 'close');
      void handle(request, response);
    },
    onDrop: () => metrics.connectionDropped(),
  });

  const ops = createOpsServer({ isReady, metrics: () => metrics.text() });

  /** Serves what the channel points to now. @throws Error when that cannot be had. */
  async function catchUp(): Promise<void> {
    const state = await follower?.ask(hurry.signal);
    await keeper.settled();
    const served = [keeper.current()?.id, keeper.candidate()?.live.id];
    for (const wanted of [state?.stable, state?.candidate?.release])
      if (wanted != null && !served.includes(wanted))
        throw new Error(`This edge cannot serve ${wanted} yet.`);
  }

  /** What is known to be taken back stays out of sight, also when nothing else is to be had. */
  function open(): void {
    const live = keeper.current();
    const told = keeper.told();
    if (isOpen || !live || (told && mustLeave(told, live.id))) return;
    isOpen = true;
    report();
  }

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
    release: () => current()?.id ?? null,
    candidate: () => candidate()?.live.id ?? null,

    async start(address) {
      await keeper.restore();
      isOpen = keeper.current() === null;
      const listening = await server.listen(address);
      const opsListening = await listenForOps(address.ops);
      follower = followChannel({
        registry,
        channel,
        pollMs,
        onState(state) {
          keeper.moveTo(state);
          void keeper.settled().then(() => {
            hasCaughtUp = true;
            open();
          });
        },
        onAway: () => (hasCaughtUp = true),
        log,
        signal: stop.signal,
      });
      const following = follower;
      const patience = setTimeout(open, options.restartPatienceMs ?? restartPatienceMs);
      patience.unref();
      const heartbeat = setInterval(report, Math.min(pollMs, heartbeatMs));
      heartbeat.unref();

      return {
        ...listening,
        opsUrl: opsListening?.url ?? null,
        async close() {
          stop.abort();
          clearInterval(heartbeat);
          clearTimeout(patience);
          const timer = setTimeout(() => hurry.abort(), finishWithinMs);
          await server.close(finishWithinMs);
          // Last: until here it tells that no more visitors should come.
          if (opsListening) await ops.close(0);
          clearTimeout(timer);
          // From here on it serves nothing. When this is lost, it counts as an edge that fell silent.
          await registry.goodbye(id).catch(() => undefined);
          await following.ended;
          await keeper.settled();
          accessLog?.flush();
        },
      };
    },
  };
}

/** Every blob that a restart needs to serve these releases: files, and pages rendered ahead of time. */
function blobsOf(documents: ReleaseDocument[]): Set<string> {
  const needed = new Set<string>();
  for (const { manifests, rendered } of documents) {
    for (const { assets } of Object.values(manifests))
      for (const { integrity } of assets) needed.add(integrity);
    for (const variants of Object.values(rendered))
      for (const integrity of Object.values(variants)) needed.add(integrity);
  }
  return needed;
}
