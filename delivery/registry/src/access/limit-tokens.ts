import type { FastifyInstance, FastifyRequest } from 'fastify';
import { readWholeNumber } from '@site/contract';
import { blobCalls, LARGEST_BLOB_BYTES } from '@site/contract/registry-calls/blob.calls';
import { versionCalls } from '@site/contract/registry-calls/version.calls';
import { addCallerLimit } from '@site/server/rate-limit';
import { actorQueue } from '../kernel/actor.ts';
import type { RegistryLimits } from '../versions/index.ts';
import type { UploadAllowance } from '../kernel/upload-allowance.ts';
import { requireActor } from '../kernel/mount-calls.ts';

/** Runs after authentication, before any body is read. */
export async function tokenLimits(
  app: FastifyInstance,
  { requestsPerMinute, changesPerMinute }: RegistryLimits,
  uploads: UploadAllowance,
): Promise<(request: FastifyRequest) => Promise<void>> {
  const who = 'this team';
  const limitRequests = await addCallerLimit(app, { who, max: requestsPerMinute });
  const limitChanges = await addCallerLimit(app, { who: `${who} for changes`, max: changesPerMinute });
  return async (request) => {
    const actor = requireActor(request);
    const queue = actorQueue(actor);
    await limitRequests(request, queue);
    const { call } = request.routeOptions.config;
    const isPublish = call === versionCalls.publishVersion;
    // A flood of versions must not block their rollback.
    if ((isPublish || call?.once) && !actor.scopes.includes('ops'))
      await limitChanges(request, isPublish ? `versions of ${queue}` : queue);
    if (call === blobCalls.putBlob) uploads.spend(queue, bodySize(request));
  };
}

function bodySize({ headers }: FastifyRequest): number {
  return readWholeNumber(headers['content-length'], 0, Number.MAX_SAFE_INTEGER) ?? LARGEST_BLOB_BYTES;
}
