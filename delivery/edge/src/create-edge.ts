import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { ChannelName } from '@site/contract';
import type { ArtifactStore } from '@site/artifacts/artifact-store';
import { PortError } from '@site/server/start-server';
import { drainConnections } from '@site/server/drain-connections';
import { createAssetArchive } from './asset-archive.ts';
import { followChannel } from './follow-channel.ts';
import { createRequestHandler } from './handle-request.ts';
import { createJsonLog, messageOf, type EdgeLog } from './log.ts';
import { createEdgeMetrics } from './metrics.ts';
import { createRegistryClient } from './registry-client.ts';
import { createReleaseCache } from './release-cache.ts';
import { createReleaseKeeper } from './release-keeper.ts';

export interface EdgeOptions {
  registryUrl: string;
  /** A registry token of scope `read`. */
  token: string;
  store: ArtifactStore;
  channel: ChannelName;
  /** A folder of this edge's own: the last release is remembered there. */
  cacheDir: string;
  /** Names this edge to the registry. */
  id: string;
  /** How often the registry is asked for the channel's state beside its events. */
  pollMs?: number;
  /** Draws variants; a number in [0, 1). */
  random?: () => number;
  log?: EdgeLog;
}

export interface RunningEdge {
  url: string;
  port: number;
  /** Stops following and listening; lets requests under way finish. */
  close(): Promise<void>;
}

export interface Edge {
  /**
   * Serves what the disk remembers, listens, then follows the registry. Resolves as soon as it listens.
   * @throws PortError when the port is in use.
   */
  start(address: { port: number; host?: string }): Promise<RunningEdge>;
  /** The id of the release served now. */
  release(): string | null;
}

const finishWithinMs = 5_000;

/** The web server that visitors talk to. */
export function createEdge(options: EdgeOptions): Edge {
  const { store, channel, id, pollMs = 5_000, random = Math.random, log = createJsonLog('edge') } = options;
  const metrics = createEdgeMetrics();
  const registry = createRegistryClient(options.registryUrl, options.token);
  /** Ends following the registry. */
  const stop = new AbortController();
  /** Ends what requests under way still wait for. */
  const hurry = new AbortController();
  const isStopping = () => stop.signal.aborted;
  let lostHeartbeat = '';
  /** A restarted edge takes no traffic with an old release while the registry can tell it the new one. */
  let hasCaughtUp = false;

  const archive = createAssetArchive({
    store,
    recent: () => keeper.recent(),
    askRegistry: (app, path) => registry.assetIntegrity(app, path, hurry.signal),
  });
  const keeper = createReleaseKeeper({
    store,
    cache: createReleaseCache(options.cacheDir, channel),
    fetchDocument: (release) => registry.releaseDocument(release, stop.signal),
    onSwap(_release, previous) {
      if (previous) archive.keep(previous.assets);
      void report();
    },
    log,
    metrics,
    signal: stop.signal,
  });

  /** Tells the registry what is served here; it does not matter when that is lost, since it is told at every poll. */
  async function report(): Promise<void> {
    const release = keeper.current()?.id;
    if (!release || isStopping()) return;
    try {
      await registry.heartbeat(id, { channel, release }, stop.signal);
      lostHeartbeat = '';
    } catch (error) {
      const problem = messageOf(error);
      if (problem !== lostHeartbeat && !isStopping()) {
        log.info({ release, problem }, 'the registry was not told what is served here');
      }
      lostHeartbeat = problem;
    }
  }

  const server = createServer(
    { requestTimeout: 15_000, headersTimeout: 10_000, keepAliveTimeout: 20_000, maxHeaderSize: 16 * 1024 },
    (request, response) => {
      if (isStopping()) response.setHeader('Connection', 'close');
      void handle(request, response);
    },
  );
  const handle = createRequestHandler({
    current: keeper.current,
    isReady: () => hasCaughtUp && keeper.current() !== null,
    revoked: keeper.revoked,
    archive,
    random,
    log,
    metrics,
  });
  const drain = drainConnections(server);
  // A reader that stopped reading must not hold its connection for ever.
  server.setTimeout(60_000);

  return {
    release: () => keeper.current()?.id ?? null,

    async start({ port, host }) {
      await keeper.restore();
      server.listen({ port, ...(host === undefined ? {} : { host }) });
      await once(server, 'listening').catch((cause: unknown) => {
        if ((cause as NodeJS.ErrnoException).code !== 'EADDRINUSE') throw cause;
        throw new PortError(
          `Port ${port} is in use: stop the program that uses it, or set PORT to another port.`,
          { cause },
        );
      });
      const following = followChannel({
        registry,
        channel,
        pollMs,
        onState(state) {
          keeper.moveTo(state);
          void keeper.settled().then(() => (hasCaughtUp = true));
        },
        onAway: () => (hasCaughtUp = true),
        log,
        signal: stop.signal,
      });
      const heartbeat = setInterval(() => void report(), pollMs);
      heartbeat.unref();

      const { port: actualPort } = server.address() as AddressInfo;
      return {
        port: actualPort,
        url: `http://${host && host !== '0.0.0.0' && host !== '::' ? host : 'localhost'}:${actualPort}`,
        async close() {
          stop.abort();
          clearInterval(heartbeat);
          const closed = once(server, 'close');
          server.close();
          drain(finishWithinMs);
          const timer = setTimeout(() => hurry.abort(), finishWithinMs);
          await closed;
          clearTimeout(timer);
          await following;
          await keeper.settled();
        },
      };
    },
  };
}
