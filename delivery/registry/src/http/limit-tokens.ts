import type { FastifyInstance, FastifyRequest } from 'fastify';
import { baseErrors } from '@site/server/base-errors';
import { addCallerLimit } from '@site/server/rate-limit';
import type { Limits } from '../use-cases/limits.ts';
import { actorOf } from './authorize.ts';
import { LARGEST_BLOB } from './blob.routes.ts';

const HOUR_MS = 60 * 60_000;

/** Keeps what one token asks for within limits. Its hook comes after the one that finds the sender, before any body is read. */
export async function tokenLimits(
  app: FastifyInstance,
  { requestsPerMinute, publishesPerMinute, uploadedBytesPerHour }: Limits,
  now: () => Date,
): Promise<(request: FastifyRequest) => Promise<void>> {
  const who = 'this token';
  const limitRequests = await addCallerLimit(app, { who, max: requestsPerMinute });
  const limitPublishing = await addCallerLimit(app, {
    who: 'publishing of this token',
    max: publishesPerMinute,
  });
  const limitUploads = createAllowance(uploadedBytesPerHour, now);
  return async (request) => {
    const { tokenId, scopes } = actorOf(request);
    await limitRequests(request, tokenId);
    const route = `${request.method} ${request.routeOptions.url ?? ''}`;
    if (route === 'POST /v1/versions' && !scopes.includes('ops')) await limitPublishing(request, tokenId);
    if (route === 'PUT /v1/blobs/:hex') limitUploads(tokenId, sizeOf(request));
  };
}

/** What does not say its size counts as the largest. */
function sizeOf({ headers }: FastifyRequest): number {
  const size = Number(headers['content-length']);
  return Number.isInteger(size) && size >= 0 ? size : LARGEST_BLOB;
}

function createAllowance(max: number, now: () => Date): (tokenId: string, bytes: number) => void {
  let hour = 0;
  let used = new Map<string, number>();
  return (tokenId, bytes) => {
    const time = now().getTime();
    const current = Math.floor(time / HOUR_MS);
    if (current !== hour) used = new Map();
    hour = current;
    const sum = (used.get(tokenId) ?? 0) + bytes;
    if (sum > max) {
      const seconds = Math.ceil(((hour + 1) * HOUR_MS - time) / 1000);
      throw baseErrors.rate_limited(
        `This token has uploaded ${used.get(tokenId) ?? 0} bytes within this hour; ${max} are allowed.`,
        { headers: { 'retry-after': String(seconds) } },
      );
    }
    used.set(tokenId, sum);
  };
}
