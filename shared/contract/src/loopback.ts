import { once } from 'node:events';
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
