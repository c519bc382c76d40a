import type { FastifyInstance } from 'fastify';
import { IntegrityMismatchError } from '@site/artifacts/artifact-store';
import { integrityFromHex, isBlobHex } from '@site/artifacts/integrity';
import { parseBody } from '@site/server/validate';
import { registryErrors } from '../errors.ts';
import { wantBlobs } from '../use-cases/blob-protection.ts';
import type { RegistryContext } from '../use-cases/context.ts';
import { actorOf, requirePublisher } from './authorize.ts';
import { MissingBlobsSchema } from './request.schema.ts';
import { createUploadTurns } from './upload-turns.ts';

/** No file of a version is larger. */
export const LARGEST_BLOB = 32 * 1024 * 1024;

/** The files of versions, by the hash of their bytes. */
export function blobRoutes(app: FastifyInstance, context: RegistryContext): void {
  const { store } = context;
  const takeTurn = createUploadTurns();

  app.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  app.post('/v1/blobs/missing', { bodyLimit: 4 * 1024 * 1024 }, async (request) => {
    requirePublisher(actorOf(request));
    const integrities = [...new Set(parseBody(MissingBlobsSchema, request.body).integrities)];
    const absent = await store.missing(integrities);
    const there = integrities.filter((integrity) => !absent.has(integrity));
    // What is there must still be there when the version is registered. Names that are made up are not noted.
    await wantBlobs(context, there);
    const missing = new Set([...absent, ...(await store.missing(there))]);
    return { missing: integrities.filter((integrity) => missing.has(integrity)) };
  });

  app.put<{ Params: { hex: string } }>(
    '/v1/blobs/:hex',
    {
      bodyLimit: LARGEST_BLOB,
      // Before the body is read: nobody without the right to publish may send 32 MiB.
      // Then each token has a few bodies in memory at once; the rest stays in its connections.
      preParsing: async (request, reply, payload) => {
        const actor = actorOf(request);
        requirePublisher(actor);
        const end = await takeTurn(actor.tokenId);
        reply.raw.once('close', end);
        if (reply.raw.destroyed) end();
        return payload;
      },
    },
    async (request, reply) => {
      const { hex } = request.params;
      if (!isBlobHex(hex)) {
        throw registryErrors.blob_hash_mismatch(
          `"${hex.slice(0, 100)}" is no SHA-384 in 96 lower-case hex digits.`,
        );
      }
      const integrity = integrityFromHex(hex);
      const existed = await store.has(integrity);
      const bytes = Buffer.isBuffer(request.body) ? request.body : Buffer.alloc(0);
      await store.put(integrity, bytes).catch((error: unknown) => {
        if (!(error instanceof IntegrityMismatchError)) throw error;
        throw registryErrors.blob_hash_mismatch(error.message, { cause: error });
      });
      return reply.status(existed ? 200 : 201).send({ integrity });
    },
  );
}
