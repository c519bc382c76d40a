import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const expiries = new WeakMap<IncomingMessage, { expire: () => void; timer: NodeJS.Timeout }>();

export type ArrivalLimit = { withinMs: number } | { idleMs: number };

/**
 * Closes connections whose request body does not arrive in time, even after a response, because anyone can
 * start one without a token. For servers whose `requestTimeout` allows for the longest request.
 * @param ms after the headers.
 */
export function limitArrival(app: FastifyInstance, ms: number): void {
  // Before Fastify, which responds to some requests without hooks.
  app.server.prependListener('request', (raw: IncomingMessage) => {
    if (!hasBody(raw)) return;
    const expire = () => {
      if (raw.complete) return;
      const error = Object.assign(new Error('The request did not arrive in time.'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      app.server.emit('clientError', error, raw.socket);
    };
    expiries.set(raw, { expire, timer: setTimeout(expire, ms).unref() });
    raw.once('close', () => clearTimeout(expiries.get(raw)?.timer));
  });
  // Node would respond and keep the connection open.
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { connection: 'close' }).end();
  });
}

/** Lets a request take longer: call it once its sender is known, and may send so much. */
export function allowLongBody({ raw }: FastifyRequest, limit: ArrivalLimit): void {
  const expiry = expiries.get(raw);
  if (!expiry) return;
  clearTimeout(expiry.timer);
  if ('withinMs' in limit) {
    expiry.timer = setTimeout(expiry.expire, limit.withinMs).unref();
    return;
  }
  let received = raw.socket.bytesRead;
  const check = () => {
    // Unread bytes: the server is the slow side.
    const isIdle = raw.socket.bytesRead === received && raw.readableLength === 0;
    received = raw.socket.bytesRead;
    if (isIdle) expiry.expire();
    else expiry.timer = setTimeout(check, limit.idleMs).unref();
  };
  expiry.timer = setTimeout(check, limit.idleMs).unref();
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
