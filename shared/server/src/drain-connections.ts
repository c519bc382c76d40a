import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/**
 * Lets a server close although clients hold connections open on which nothing happens: Node's `server.close()` waits for
 * a connection that never sent a request, and `closeIdleConnections()` does not count it as idle.
 *
 * Call it before the server listens; call the function it returns together with `server.close()`: connections without a
 * request end at once, the others with their answer, whatever is left after `withinMs`.
 */
export function drainConnections(server: Server): (withinMs: number) => void {
  /** Open connections, with the number of requests under way on each. */
  const requests = new Map<Socket, number>();
  let draining = false;

  server.on('connection', (socket: Socket) => {
    requests.set(socket, 0);
    socket.once('close', () => requests.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    requests.set(socket, (requests.get(socket) ?? 0) + 1);
    response.once('close', () => {
      if (!requests.has(socket)) return;
      requests.set(socket, (requests.get(socket) ?? 1) - 1);
      endIfIdle(socket);
    });
  });

  function endIfIdle(socket: Socket): void {
    if (draining && requests.get(socket) === 0) socket.destroySoon();
  }

  return (withinMs) => {
    draining = true;
    for (const socket of requests.keys()) endIfIdle(socket);
    setTimeout(() => {
      for (const socket of requests.keys()) socket.destroy();
    }, withinMs).unref();
  };
}
