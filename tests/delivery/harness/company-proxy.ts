import { once } from 'node:events';
import { createServer, request } from 'node:http';
import { connect, type AddressInfo, type Socket } from 'node:net';
import { pipeline } from 'node:stream';

export interface CompanyProxy {
  url: string;
  /** Host names of the forwarded requests. */
  hosts: Set<string>;
  /** Refuses all requests with 407. */
  refuse(): void;
  close(): void;
}

/** A forward proxy, the only way to `*.company.invalid`: the servers of that domain are on this machine. */
export async function startCompanyProxy(): Promise<CompanyProxy> {
  const hosts = new Set<string>();
  const sockets = new Set<Socket>();
  let refuses = false;
  const server = createServer((incoming, response) => {
    if (refuses) return void response.writeHead(407).end();
    const { hostname, port, pathname, search } = new URL(incoming.url ?? '');
    hosts.add(hostname);
    const { method, headers } = incoming;
    const outgoing = request(
      { host: '127.0.0.1', port, path: pathname + search, method, headers },
      (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        pipeline(answer, response, () => undefined);
      },
    );
    pipeline(incoming, outgoing, () => undefined);
  });
  server.on('connect', ({ url = '' }, client: Socket) => {
    if (refuses) return void client.end('HTTP/1.1 407 Proxy Authentication Required\r\n\r\n');
    const { hostname, port } = new URL(`http://${url}`);
    hosts.add(hostname);
    const upstream = connect(Number(port), '127.0.0.1', () => {
      client.write('HTTP/1.1 200 OK\r\n\r\n');
      pipeline(client, upstream, client, () => undefined);
    });
    upstream.on('error', () => client.destroy());
  });
  server.on('connection', (socket) => sockets.add(socket.once('close', () => sockets.delete(socket))));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const end = () => sockets.forEach((socket) => socket.destroy());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    hosts,
    refuse() {
      refuses = true;
      end();
    },
    close() {
      server.close();
      end();
    },
  };
}
