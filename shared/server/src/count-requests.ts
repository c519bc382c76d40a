import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** The HTTP/1.1 connections of a server, with the number of requests under way on each. */
export interface RequestCount {
  /** To call for each connection. */
  add(socket: Socket): void;
  /** To call for each request: it is under way until its response is closed. */
  began(socket: Socket, response: { once(event: 'close', listener: () => void): unknown }): void;
  /** Connections without a request end at once, and from now on the others with their answer. */
  drain(): void;
  /** Ends what is left, in the middle of its answer. */
  cut(): void;
}

/** Counts the requests of a plain HTTP server, from its first connection on. */
export function countRequestsOf(server: Server): RequestCount {
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
