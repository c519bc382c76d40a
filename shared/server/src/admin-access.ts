import { timingSafeEqual } from 'node:crypto';
import { TokenSchema } from '@site/contract/secret.schema';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { defineErrors } from './api-error.ts';
import { parseBearer, hashSecret } from './secrets.ts';

export const adminErrors = defineErrors({
  admin_token_invalid: {
    status: 401,
    title: 'Not the admin token',
    remedy: 'Send this service\'s ADMIN_TOKEN as "Authorization: Bearer <token>".',
  },
  visitor_unknown: {
    status: 404,
    title: 'Nothing is stored about this visitor',
    remedy: 'Check the guest id: it is the "user_unique_id" in the visitor\'s token.',
  },
});

/** The environment variable of the admin token. Without it, all operator calls are rejected. */
export const adminTokenVariable = v.optional(TokenSchema);

/**
 * Checks whether a request carries this token. Stores only a hash and compares hashes in constant time.
 * @param token null: never
 */
export function carriesToken(token: string | null): (request: FastifyRequest) => boolean {
  const hash = (text: string) => Buffer.from(hashSecret(text));
  const wanted = token === null ? null : hash(token);
  return (request) => {
    const given = parseBearer(request.headers.authorization);
    return wanted !== null && given !== undefined && timingSafeEqual(hash(given), wanted);
  };
}

/**
 * Rejects requests without the admin token: see `carriesToken`.
 * @param adminToken null: rejects all @example const requireAdmin = createAdminAccess(config.adminToken);
 * requireAdmin(request); // throws ApiError `admin_token_invalid`
 */
export function createAdminAccess(adminToken: string | null): (request: FastifyRequest) => void {
  const isAdmin = carriesToken(adminToken);
  return (request) => {
    if (isAdmin(request)) return;
    const given = parseBearer(request.headers.authorization);
    const what =
      adminToken === null
        ? 'This service was started without an ADMIN_TOKEN, so operator calls are disabled.'
        : given === undefined
          ? 'The request carries no admin token.'
          : 'The token does not match.';
    throw adminErrors.admin_token_invalid(what, {
      source: { header: 'authorization' },
      headers: { 'www-authenticate': given === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
    });
  };
}
