import type { FastifyInstance } from 'fastify';
import { compressBody } from '@site/server/encoded-body';
import { addEncoding, chooseEncoding } from '@site/server/negotiate';

/** Smaller bodies fit into the first packets of a connection anyway. */
const WORTH_BYTES = 8 * 1024;

/**
 * Compresses responses to the console: over a mobile connection, 600 KB take longer than brotli. Responses to edges and
 * the CLI stay uncompressed, because latency matters during a rollback and they are nearby. Event streams are not
 * compressed.
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
