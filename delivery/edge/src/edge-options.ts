import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { ChannelName } from '@site/contract';
import type { TrustedProxies } from '@site/server/client-address';
import type { Certificate } from './server/listen.ts';
import type { EdgeLog } from './telemetry/log.ts';

export interface EdgeOptions {
  registryUrl: string;
  /** A registry token of scope `edge:<id>`. */
  token: string;
  store: ArtifactStore;
  /** Whether the store is on another machine. If so, copies of served blobs are kept in `cacheDir`. */
  isStoreRemote?: boolean;
  channel: ChannelName;
  /** This edge's own folder, where the last release is remembered. */
  cacheDir: string;
  /** This edge's id at the registry; its token is bound to it. */
  id: string;
  /** How often the channel's state is polled in addition to events. */
  pollMs?: number;
  /** How often browser signals are sent to the registry. */
  signalsMs?: number;
  /** After a restart: how long to wait for the registry before serving the release from disk. */
  restartPatienceMs?: number;
  /** Random source for variants; a number in [0, 1). */
  random?: () => number;
  /** Random source for a new visitor's bucket: an integer from 0 to 9999. */
  drawBucket?: () => number;
  /** Milliseconds since 1970. */
  now?: () => number;
  log?: EdgeLog;
  /** Receives the access log, one JSON object per line. Default: no access log. */
  writeAccessLog?: ((lines: string) => void) | undefined;
  /** Serve HTTPS with HTTP/2, instead of HTTP/1.1 for a proxy. */
  certificate?: Certificate | undefined;
  /** Maximum concurrent connections; further ones are closed. */
  maxConnections?: number;
  /** The proxies whose forwarded client addresses are trusted. Default: none. */
  trustProxy?: TrustedProxies;
  /** A response that the client has not read by then is aborted. */
  sendWithinMs?: number;
  /** A response that is not ready by then is a 504. */
  answerWithinMs?: number | undefined;
  /** Send 103 Early Hints over HTTP/1.1 as well. Only safe if every proxy in front forwards them. */
  hintsOverHttp1?: boolean;
  /**
   * A table of remotes, routes and redirects above this many bytes is a separate file. Must be equal on every edge of a
   * site.
   */
  inlineTableBytes?: number;
}
