import type { FastifyInstance, FastifyRequest } from 'fastify';
import { wholeNumberOf } from '@site/contract';
import { blobCalls, LARGEST_BLOB_BYTES } from '@site/contract/registry-calls/blob.calls';
import { versionCalls } from '@site/contract/registry-calls/version.calls';
import { addCallerLimit } from '@site/server/rate-limit';
import { accountOf } from '../kernel/actor.ts';
import type { RegistryLimits } from '../versions/limits.ts';
import type { UploadAllowance } from '../kernel/upload-allowance.ts';
import { actorOf } from '../kernel/mount-calls.ts';

/** Runs after authentication, before any body is read. */
export async function tokenLimits(
  app: FastifyInstance,
  { requestsPerMinute, publishesPerMinute }: RegistryLimits,
  uploads: UploadAllowance,
): Promise<(request: FastifyRequest) => Promise<void>> {
  const who = 'this token';
  const limitRequests = await addCallerLimit(app, { who, max: requestsPerMinute });
  const limitPublishing = await addCallerLimit(app, {
    who: 'publishing of this token',
    max: publishesPerMinute,
  });
  return async (request) => {
    const actor = actorOf(request);
    const account = accountOf(actor);
    await limitRequests(request, account);
    const { call } = request.routeOptions.config;
    if (call === versionCalls.publishVersion && !actor.scopes.includes('ops'))
      await limitPublishing(request, account);
    if (call === blobCalls.putBlob) uploads.spend(account, sizeOf(request));
  };
}

/** An unknown size counts as the maximum. */
function sizeOf({ headers }: FastifyRequest): number {
  return wholeNumberOf(headers['content-length'], 0, Number.MAX_SAFE_INTEGER) ?? LARGEST_BLOB_BYTES;
}
