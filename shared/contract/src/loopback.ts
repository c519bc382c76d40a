import { once } from 'node:events';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer, type Server } from 'node:net';

/**
 * The addresses of a host setting. `localhost` is both loopback addresses, because a client may try either of them and
 * another program may use the other.
 */
export const listenAddresses = (host: string): [string, ...string[]] =>
  host === 'localhost' ? ['127.0.0.1', '::1'] : [host];

/** The address does not exist: this machine has no IPv6. */
export const isMissingAddress = ({ code }: NodeJS.ErrnoException): boolean =>
  code === 'EADDRNOTAVAIL' || code === 'EAFNOSUPPORT';

/**
 * Accepts connections at the remaining addresses of `host` for a server that listens at the first one. Call `close`
 * together with the server's.
 * @param port the port that was requested. With 0 the system chose one that may be in use at the other address.
 * @throws the error of `listen`, such as EADDRINUSE.
 */
export async function listenAtOtherAddresses(
  server: Server,
  { port, host }: { port: number; host: string },
): Promise<{ close(): Promise<void> }> {
  const [, other] = listenAddresses(host);
  const address = server.address();
  if (other === undefined || typeof address !== 'object' || address === null)
    return { close: async () => {} };
  const second = createServer({ allowHalfOpen: true, noDelay: true }, (socket) => {
    server.emit('connection', socket);
  });
  second.maxConnections = server.maxConnections;
  second.on('drop', (dropped) => server.emit('drop', dropped));
  second.listen({ port: address.port, host: other });
  try {
    await once(second, 'listening');
  } catch (error) {
    if (!isMissingAddress(error as NodeJS.ErrnoException) && port !== 0) throw error;
    return { close: async () => {} };
  }
  return { close: () => new Promise((resolve) => second.close(() => resolve())) };
}

/** Names that every browser and system resolves to this machine. */
const LOOPBACK = /^(?:(?:[a-z\d-]+\.)*localhost|127\.0\.0\.1|\[::1\])$/i;

/** Whether a `Host` names this machine or is one of `hosts`, with any port. */
export function isOwnHost(host: string | undefined, hosts: readonly string[] = []): boolean {
  const name = host?.replace(/:\d+$/, '') ?? '';
  return LOOPBACK.test(name) || hosts.includes(name.toLowerCase());
}

/**
 * Answers 421 to requests with other hosts: pages of other sites can have a name that leads here (DNS rebinding). For
 * servers that only this machine uses, never behind a proxy.
 */
export function refuseOtherHosts(server: NodeJS.EventEmitter, hosts: readonly string[] = []): void {
  const emit = server.emit.bind(server);
  server.emit = (event: string | symbol, ...args: unknown[]) => {
    if (event !== 'request') return emit(event, ...args);
    const [{ headers }, response] = args as [IncomingMessage, ServerResponse];
    const host = (headers as { ':authority'?: string })[':authority'] ?? headers.host;
    if (isOwnHost(host, hosts)) return emit(event, ...args);
    response.writeHead(421, { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store' });
    response.end('This server answers only requests for localhost, or a host in ALLOWED_HOSTS.\n');
    return true;
  };
}
