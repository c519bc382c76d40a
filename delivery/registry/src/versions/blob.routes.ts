import type { FastifyInstance } from 'fastify';
import { IntegrityMismatchError } from '@site/artifacts/artifact-store';
import { integrityFromHex, isBlobHex } from '@site/contract/integrity';
import { blobCalls } from '@site/contract/registry-calls/blob.calls';
import { baseErrors } from '@site/server/base-errors';
import { BusyError, createTurns } from '@site/server/turns';
import { registryErrors } from '../kernel/registry-errors.ts';
import { wantBlobs } from '../kernel/blob-protection.ts';
import { actorQueue } from '../kernel/actor.ts';
import type { RegistryContext } from '../kernel/context.ts';
import { requireActor, mountCalls } from '../kernel/mount-calls.ts';

/** Per token: bodies in memory, and how many more may wait in their connections. */
const UPLOADS_AT_ONCE = 6;
const UPLOADS_WAITING = 200;

export function blobRoutes(api: FastifyInstance, context: RegistryContext): void {
  const { store } = context;
  const uploads = createTurns({
    atOnce: Infinity,
    atOncePerCaller: UPLOADS_AT_ONCE,
    waiting: Infinity,
    waitingPerCaller: UPLOADS_WAITING,
  });

  api.addContentTypeParser('application/octet-stream', { parseAs: 'buffer' }, (_request, body, done) =>
    done(null, body),
  );

  mountCalls(api, context, blobCalls, {
    async missingBlobs({ body }) {
      const integrities = [...new Set(body.integrities)];
      const absent = await store.missing(integrities);
      const there = integrities.filter((integrity) => !absent.has(integrity));
      // Protect existing blobs until the version is registered. Made-up names are not recorded.
      await wantBlobs(context, there);
      const missing = new Set([...absent, ...(await store.missing(there))]);
      return { missing: integrities.filter((integrity) => missing.has(integrity)) };
    },

    putBlob: {
      // Limits the bodies in memory per team; the rest waits in its connection.
      async beforeBody(request, reply) {
        const end = await uploads.begin(actorQueue(requireActor(request))).catch((error: unknown) => {
          if (!(error instanceof BusyError)) throw error;
          throw baseErrors.rate_limited(`Too many uploads of this team: ${error.message}`, {
            headers: { 'retry-after': '10' },
            cause: error,
          });
        });
        reply.raw.once('close', end);
        if (reply.raw.destroyed) end();
      },
      async act({ params: { hex }, body, reply }) {
        if (!isBlobHex(hex)) {
          throw registryErrors.blob_hash_mismatch(
            `"${hex.slice(0, 100)}" is not a SHA-384 hash of 96 lower-case hex digits.`,
          );
        }
        const integrity = integrityFromHex(hex);
        const existed = await store.has(integrity);
        await store.put(integrity, body as Buffer).catch((error: unknown) => {
          if (!(error instanceof IntegrityMismatchError)) throw error;
          throw registryErrors.blob_hash_mismatch(error.message, { cause: error });
        });
        void reply.status(existed ? 200 : 201);
        return { integrity };
      },
    },
  });
}
