import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { writeFile } from 'node:fs/promises';
import { connect, createServer, type Server, type Socket } from 'node:net';

/**
 * Names with ports, like those of a network of containers: each forwards to a port of this machine.
 * @param file where to write a module with which processes resolve the names.
 * @returns `reached`: the names that a client has connected to.
 */
export async function startNetwork(file: string, targets: ReadonlyMap<string, number>) {
  const reached = new Set<string>();
  const hosts: Record<string, string> = {};
  const servers: Server[] = [];
  const sockets = new Set<Socket>();
  for (const [host, target] of targets) {
    const { hostname, port } = new URL(`http://${host}`);
    const address = (hosts[hostname] ??= `127.${randomInt(1, 255)}.${randomInt(255)}.${randomInt(1, 255)}`);
    const server = createServer((client) => {
      const socket = connect(target, '127.0.0.1', () => reached.add(hostname));
      for (const one of [client, socket]) {
        sockets.add(one);
        one
          .on('error', () => undefined)
          .on('close', () => [client, socket].forEach((each) => each.destroy()));
      }
      client.pipe(socket).pipe(client);
    });
    await once(server.listen(Number(port), address), 'listening');
    servers.push(server);
  }
  await writeFile(
    file,
    `import dns from 'node:dns';
    const { lookup } = dns;
    const hosts = ${JSON.stringify(hosts)};
    dns.lookup = (name, ...rest) => lookup(hosts[name] ?? name, ...rest);`,
  );
  return {
    reached,
    stop() {
      for (const server of servers) server.close();
      for (const socket of sockets) socket.destroy();
    },
  };
}
