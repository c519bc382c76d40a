import type { FastifyInstance, FastifyRequest } from 'fastify';
import { addCallerLimit } from '@site/server/rate-limit';
import type { Limits } from '../use-cases/limits.ts';
import type { UploadAllowance } from '../use-cases/upload-allowance.ts';
import { actorOf } from './authorize.ts';
import { LARGEST_BLOB } from './blob.routes.ts';

/** Keeps what one token asks for within limits. Its hook comes after the one that finds the sender, before any body is read. */
export async function tokenLimits(
  app: FastifyInstance,
  { requestsPerMinute, publishesPerMinute }: Limits,
  uploads: UploadAllowance,
): Promise<(request: FastifyRequest) => Promise<void>> {
  const who = 'this token';
  const limitRequests = await addCallerLimit(app, { who, max: requestsPerMinute });
  const limitPublishing = await addCallerLimit(app, {
    who: 'publishing of this token',
    max: publishesPerMinute,
  });
  return async (request) => {
    const { tokenId, scopes } = actorOf(request);
    await limitRequests(request, tokenId);
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    if (route === 'POST /v1/versions' && !scopes.includes('ops')) await limitPublishing(request, tokenId);
    if (route === 'PUT /v1/blobs/:hex') uploads.spend(tokenId, sizeOf(request));
  };
}

/** What does not say its size counts as the largest. */
function sizeOf({ headers }: FastifyRequest): number {
  const size = Number(headers['content-length']);
  return Number.isInteger(size) && size >= 0 ? size : LARGEST_BLOB;
}
