import type { FastifyInstance } from 'fastify';
import { compressBody } from '@site/server/encoded-body';
import { addEncoding, chooseEncoding } from '@site/server/negotiate';

/** Less fits into the first packets of a connection anyway. */
const WORTH_BYTES = 8 * 1024;

/**
 * Compresses what the console reads: somebody on a phone at night waits longer for 600 KB than for brotli. Edges and command lines get their
 * answers as they are: they wait for each of them during a rollback, and stand near. Streams of events are sent past this.
 */
export function compressForConsole(api: FastifyInstance): void {
  api.addHook('onSend', async (request, reply, payload) => {
    if (!request.actor?.session || typeof payload !== 'string' || payload.length < WORTH_BYTES)
      return payload;
    const body = await compressBody(payload);
    const accepted = request.headers['accept-encoding'];
    await addEncoding(accepted, body);
    const encoding = chooseEncoding(accepted, body);
    void reply.header('vary', 'accept-encoding');
    if (encoding !== 'identity') void reply.header('content-encoding', encoding);
    return body[encoding];
  });
}
