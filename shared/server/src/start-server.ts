import type { FastifyInstance } from 'fastify';
import { drainConnections } from './drain-connections.ts';
import { inheritedSocket } from './inherited-socket.ts';
import { listenAddresses, listenAtOtherAddresses, refuseOtherHosts } from '@site/contract/loopback';

export interface RunningServer {
  url: string;
  port: number;
  drain(): void;
  close(): Promise<void>;
}

const draining = new WeakSet<object>();

export const isDraining = (server: object): boolean => draining.has(server);

const FINISH_WITHIN_MS = 5_000;
/**
 * Longer than the idle timeout of common load balancers (60 s), which would otherwise send into a closed connection.
 */
export const KEEP_ALIVE_SECONDS = 80;

export class PortError extends Error {
  override readonly name = 'PortError';
}

export interface ListenOptions {
  port: number;
  host: string;
  keepAliveSeconds?: number | undefined;
  /** Answer only requests for this machine and these hosts: see `refuseOtherHosts`. Default: all. */
  onlyHosts?: readonly string[] | undefined;
}

/**
 * Listens at systemd's socket `http`, else at `port`; 0 lets the system choose. `localhost` is both loopback addresses.
 * @throws PortError if the port is in use or not allowed.
 */
export async function startServer(
  app: FastifyInstance,
  { port, host, keepAliveSeconds = KEEP_ALIVE_SECONDS, onlyHosts }: ListenOptions,
): Promise<RunningServer> {
  const endConnections = drainConnections(app.server);
  if (onlyHosts) refuseOtherHosts(app.server, onlyHosts);
  app.server.keepAliveTimeout = keepAliveSeconds * 1_000;
  let others: { close(): Promise<void> };
  try {
    const inherited = inheritedSocket('http');
    await app.listen({ port, host: listenAddresses(host)[0], ...inherited });
    others = await listenAtOtherAddresses(app.server, { port, host: inherited ? '' : host });
  } catch (cause) {
    await app.close();
    throw portError(cause, { port, host });
  }
  const address = app.server.address();
  const actual = typeof address === 'object' && address ? address.port : port;
  let closing: Promise<void> | undefined;
  return {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${actual}`,
    port: actual,
    drain: () => void draining.add(app.server),
    close: () =>
      (closing ??= (async () => {
        const othersClosed = others.close();
        await endConnections(FINISH_WITHIN_MS);
        await app.close();
        await othersClosed;
      })()),
  };
}

export function portError(
  cause: unknown,
  { port, host }: { port: number; host: string },
  settings = { port: 'PORT', host: 'HOST' },
): unknown {
  switch ((cause as NodeJS.ErrnoException).code) {
    case 'EADDRINUSE':
      return new PortError(
        `Port ${port} is in use: stop the program that uses it, or set ${settings.port} to another port.`,
        { cause },
      );
    case 'EACCES':
      return new PortError(
        `Port ${port} may not be used by this user: set ${settings.port} to one from 1024 up.`,
        { cause },
      );
    case 'ENOTFOUND':
    case 'EADDRNOTAVAIL':
      return new PortError(
        `"${host}" is not an address of this machine: set ${settings.host} to one of its ` +
          `addresses${settings.host === 'HOST' ? ', or to 0.0.0.0' : ''}.`,
        { cause },
      );
    default:
      return cause;
  }
}
