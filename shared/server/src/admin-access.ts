import { timingSafeEqual } from 'node:crypto';
import { TokenSchema } from '@site/contract/secret.schema';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { defineErrors } from './api-error.ts';
import { bearerOf, hashSecret } from './secrets.ts';

/** The errors of the calls that only operators make. */
export const adminErrors = defineErrors({
  admin_token_invalid: {
    status: 401,
    title: 'Not the admin token',
    remedy: 'Send the ADMIN_TOKEN that this service was started with as "Authorization: Bearer <token>".',
  },
  visitor_unknown: {
    status: 404,
    title: 'Nothing is stored about this visitor',
    remedy: 'Check the guest id: it is the "user_unique_id" in the visitor\'s token.',
  },
});

/** The environment variable of the admin token. Missing: nobody is let in. */
export const adminTokenVariable = v.optional(TokenSchema);

/**
 * Tells whether a request carries this token. Only a hash of it is kept; comparing two hashes takes the same time whatever was
 * sent.
 *
 * @param token null: no request does
 */
export function carriesToken(token: string | null): (request: FastifyRequest) => boolean {
  const hash = (text: string) => Buffer.from(hashSecret(text));
  const wanted = token === null ? null : hash(token);
  return (request) => {
    const given = bearerOf(request.headers.authorization);
    return wanted !== null && given !== undefined && timingSafeEqual(hash(given), wanted);
  };
}

/**
 * Lets only requests with the admin token pass: see `carriesToken`.
 *
 * @param adminToken null: nobody passes
 * @example
 * const requireAdmin = createAdminAccess(config.adminToken);
 * requireAdmin(request); // throws ApiError `admin_token_invalid`
 */
export function createAdminAccess(adminToken: string | null): (request: FastifyRequest) => void {
  const isAdmin = carriesToken(adminToken);
  return (request) => {
    if (isAdmin(request)) return;
    const given = bearerOf(request.headers.authorization);
    const what =
      adminToken === null
        ? 'This service was started without an ADMIN_TOKEN: it lets no operator in.'
        : given === undefined
          ? 'The request carries no admin token.'
          : 'The token is another one.';
    throw adminErrors.admin_token_invalid(what, {
      source: { header: 'authorization' },
      headers: { 'www-authenticate': given === undefined ? 'Bearer' : 'Bearer error="invalid_token"' },
    });
  };
}
