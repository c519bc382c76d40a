import type { FastifyInstance } from 'fastify';
import { drainConnections } from './drain-connections.ts';

export interface RunningServer {
  /** Without a trailing slash, such as `http://localhost:8081`. */
  url: string;
  port: number;
  /** Stops accepting connections, completes active requests, then resolves. Idempotent. */
  close(): Promise<void>;
}

const FINISH_WITHIN_MS = 5_000;

/** The port cannot be used. The message names it and the remedy. */
export class PortError extends Error {
  override readonly name = 'PortError';
}

/**
 * Listens; `port` 0 lets the system choose.
 * @throws PortError if the port is in use or not allowed.
 */
export async function startServer(
  app: FastifyInstance,
  { port, host }: { port: number; host: string },
): Promise<RunningServer> {
  const drain = drainConnections(app.server);
  try {
    await app.listen({ port, host });
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
    close() {
      if (!closing) drain(FINISH_WITHIN_MS);
      return (closing ??= app.close());
    },
  };
}

/**
 * A PortError if a setting caused the failure of `listen`, else the cause itself.
 * @param settings the names of the settings for port and host.
 */
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
        `"${host}" is not an address of this machine: set ${settings.host} to one of its addresses${settings.host === 'HOST' ? ', or to 0.0.0.0' : ''}.`,
        { cause },
      );
    default:
      return cause;
  }
}
