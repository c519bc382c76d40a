import type { ArtifactStore } from '@site/artifacts/artifact-store';
import type { ChannelName } from '@site/contract';
import type { TrustedProxies } from '@site/server/client-address';
import type { Certificate } from './server/listen.ts';
import type { OpsOptions } from './server/ops-server.ts';
import type { EdgeLog } from './telemetry/log.ts';

export interface EdgeOptions {
  registryUrl: string;
  token: string;
  store: ArtifactStore;
  isStoreRemote?: boolean;
  channel: ChannelName;
  /** This edge's own folder. */
  cacheDir: string;
  id: string;
  pollMs?: number;
  signalsMs?: number;
  /** After a restart: how long to wait for the registry before serving the release from disk. */
  restartPatienceMs?: number;
  random?: () => number;
  /** For a new visitor: an integer from 0 to 9999. */
  drawBucket?: (caller: string) => number;
  now?: () => number;
  log?: EdgeLog;
  writeAccessLog?: ((lines: string) => void) | undefined;
  /** Serve HTTPS with HTTP/2, instead of HTTP/1.1 for a proxy. */
  certificate?: Certificate | undefined;
  maxConnections?: number;
  keepAliveSeconds?: number;
  /** Default: none. */
  trustProxy?: TrustedProxies;
  opsPage?: OpsOptions['page'];
  /** Answer only requests for this machine and these hosts: see `refuseOtherHosts`. Default: all. */
  onlyHosts?: readonly string[];
  sendWithinMs?: number;
  answerWithinMs?: number | undefined;
  /** Send 103 Early Hints over HTTP/1.1 as well. Only safe if every proxy in front forwards them. */
  hintsOverHttp1?: boolean;
  /** Redirect pages to the origin of the configuration if the visitor uses another host name. Default: false. */
  redirectsOtherHosts?: boolean;
}
