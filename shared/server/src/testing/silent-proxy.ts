import { once } from 'node:events';
import { connect, createServer, type AddressInfo, type Socket } from 'node:net';

/** A TCP proxy in front of a PostgreSQL server, to simulate a failover without closed connections. */
export interface SilentProxy {
  url: string;
  /** Open connections stay open but pass no more data; new ones work, as on a new primary. */
  silence(): void;
  close(): Promise<void>;
}

export async function startSilentProxy(server: string): Promise<SilentProxy> {
  const target = new URL(server);
  const open = new Set<Socket>();
  const proxy = createServer({ noDelay: true }, (client) => {
    const upstream = connect({ port: Number(target.port), host: target.hostname, noDelay: true });
    for (const [socket, other] of [
      [client, upstream],
      [upstream, client],
    ] as const) {
      open.add(socket);
      socket.pipe(other);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        open.delete(socket);
        other.destroy();
      });
    }
  });
  proxy.listen(0, '127.0.0.1');
  await once(proxy, 'listening');
  const url = new URL(server);
  url.port = String((proxy.address() as AddressInfo).port);
  return {
    url: url.href,
    silence() {
      for (const socket of open) {
        socket.unpipe();
        // Read and dropped, so that the sender's kernel gets acknowledgements.
        socket.resume();
      }
    },
    async close() {
      proxy.close();
      for (const socket of open) socket.destroy();
      await once(proxy, 'close');
    },
  };
}
