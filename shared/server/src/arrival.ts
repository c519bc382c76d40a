import type { IncomingMessage, ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';

const timers = new WeakMap<IncomingMessage, NodeJS.Timeout>();

/**
 * Ends connections whose request has a body that does not arrive in time, whatever is answered meanwhile: nobody needs a token to
 * begin one. For servers whose `requestTimeout` is for the longest request of all.
 *
 * @param ms after the headers.
 */
export function limitArrival(app: FastifyInstance, ms: number): void {
  // Before Fastify, which answers some requests without asking anybody.
  app.server.prependListener('request', (raw: IncomingMessage) => {
    if (!hasBody(raw)) return;
    const timer = setTimeout(() => {
      if (raw.complete) return;
      const error = Object.assign(new Error('The request did not arrive in time.'), {
        code: 'ERR_HTTP_REQUEST_TIMEOUT',
      });
      app.server.emit('clientError', error, raw.socket);
    }, ms).unref();
    timers.set(raw, timer);
    raw.once('close', () => clearTimeout(timer));
  });
  // Node would answer, and keep the connection.
  app.server.on('checkExpectation', (_request: IncomingMessage, response: ServerResponse) => {
    response.writeHead(417, { connection: 'close' }).end();
  });
}

/** Lets a request take as long as its server allows at most: call it once its sender is known, and may send so much. */
export function takesLong({ raw }: FastifyRequest): void {
  clearTimeout(timers.get(raw));
}

function hasBody({ headers }: IncomingMessage): boolean {
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}
