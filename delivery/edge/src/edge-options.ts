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
  /** Whether the store is on another machine: then copies of what is served are kept in `cacheDir`. */
  isStoreRemote?: boolean;
  channel: ChannelName;
  /** A folder of this edge's own: the last release is remembered there. */
  cacheDir: string;
  /** Names this edge to the registry; its token speaks for no other. */
  id: string;
  /** How often the registry is asked for the channel's state beside its events. */
  pollMs?: number;
  /** How often what browsers tell is handed to the registry. */
  signalsMs?: number;
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
  /** An answer that is not ready by then is 504. */
  answerWithinMs?: number | undefined;
  /** Send 103 Early Hints over HTTP/1.1, too: only when whatever stands in front is known to pass them on. */
  hintsOverHttp1?: boolean;
  /** A larger table of remotes, routes and redirects is a file of its own. Bytes; the same on every edge of a site. */
  inlineTableBytes?: number;
}
