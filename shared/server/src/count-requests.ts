import type { Server } from 'node:http';
import type { Socket } from 'node:net';

export interface RequestCount {
  add(socket: Socket): void;
  began(socket: Socket, response: { once(event: 'close', listener: () => void): unknown }): void;
  drain(): void;
  /** Destroys all remaining connections. */
  cut(): void;
}

export function countServerRequests(server: Server): RequestCount {
  const requests = countRequests();
  server.on('connection', requests.add);
  server.on('request', ({ socket }, response) => requests.began(socket, response));
  return requests;
}

export function countRequests(): RequestCount {
  const requests = new Map<Socket, number>();
  let isDraining = false;

  function endIfIdle(socket: Socket): void {
    if (isDraining && requests.get(socket) === 0) socket.destroySoon();
  }

  return {
    add(socket) {
      requests.set(socket, 0);
      socket.once('close', () => requests.delete(socket));
    },
    began(socket, response) {
      requests.set(socket, (requests.get(socket) ?? 0) + 1);
      response.once('close', () => {
        if (!requests.has(socket)) return;
        requests.set(socket, (requests.get(socket) ?? 1) - 1);
        endIfIdle(socket);
      });
    },
    drain() {
      isDraining = true;
      for (const socket of requests.keys()) endIfIdle(socket);
    },
    cut() {
      for (const socket of requests.keys()) socket.destroy();
    },
  };
}
