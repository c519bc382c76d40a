import type { Server } from 'node:http';
import { Server as NetServer, type Socket } from 'node:net';

export interface RequestCount {
  add(socket: Socket): void;
  began(socket: Socket, response: { once(event: 'close', listener: () => void): unknown }): void;
  /** Resolves when each connection has sent a request, or after 250 ms. */
  untilFirstRequests(): Promise<void>;
  /** Closes idle connections now, and the others after their response. */
  drain(): void;
  /** Destroys all remaining connections. */
  cut(): void;
}

/** Clients send their request with the connection; browsers also open connections in advance. */
const FIRST_REQUEST_MS = 250;

/**
 * Closes the listening socket. Unlike `http.Server.close`, this does not close connections that have sent no request
 * yet: their clients would see an error. A later `server.close(done)` waits for the open connections.
 */
export function stopAccepting(server: NetServer): void {
  const closed = new Promise<void>((resolve) => NetServer.prototype.close.call(server, () => resolve()));
  server.close = (done) => {
    void closed.then(() => done?.());
    return server;
  };
}

export function countServerRequests(server: Server): RequestCount {
  const requests = countRequests();
  server.on('connection', requests.add);
  server.on('request', ({ socket }, response) => requests.began(socket, response));
  return requests;
}

export function countRequests(): RequestCount {
  const requests = new Map<Socket, number>();
  /** Connections without a request so far. */
  const fresh = new Set<Socket>();
  let isDraining = false;
  let onAllSent: (() => void) | undefined;

  function sent(socket: Socket): void {
    fresh.delete(socket);
    if (fresh.size === 0) onAllSent?.();
  }

  function endIfIdle(socket: Socket): void {
    if (isDraining && requests.get(socket) === 0) socket.destroySoon();
  }

  return {
    add(socket) {
      requests.set(socket, 0);
      fresh.add(socket);
      socket.once('close', () => {
        requests.delete(socket);
        sent(socket);
      });
    },
    began(socket, response) {
      sent(socket);
      requests.set(socket, (requests.get(socket) ?? 0) + 1);
      response.once('close', () => {
        if (!requests.has(socket)) return;
        requests.set(socket, (requests.get(socket) ?? 1) - 1);
        endIfIdle(socket);
      });
    },
    untilFirstRequests: () =>
      new Promise((resolve) => {
        onAllSent = resolve;
        setTimeout(resolve, FIRST_REQUEST_MS).unref();
        if (fresh.size === 0) resolve();
      }),
    drain() {
      isDraining = true;
      for (const socket of requests.keys()) endIfIdle(socket);
    },
    cut() {
      for (const socket of requests.keys()) socket.destroy();
    },
  };
}
