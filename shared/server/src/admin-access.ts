import { createHash, timingSafeEqual } from 'node:crypto';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { defineErrors } from './api-error.ts';

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

/** `site_` and 256 random bits, as the registry's tokens are: the prefix lets scanners find one that leaked. */
const ADMIN_TOKEN = /^site_[A-Za-z0-9_-]{43}$/;

/** The environment variable of the admin token. Missing: nobody is let in. */
export const adminTokenVariable = v.optional(
  v.pipe(
    v.string(),
    v.regex(ADMIN_TOKEN, 'It must be "site_" and 43 base64url characters (256 random bits).'),
  ),
);

/**
 * Tells whether a request carries this token. Only a hash of it is kept; comparing two hashes takes the same time whatever was
 * sent.
 *
 * @param token null: no request does
 */
export function carriesToken(token: string | null): (request: FastifyRequest) => boolean {
  const hash = (text: string) => createHash('sha256').update(text).digest();
  const wanted = token === null ? null : hash(token);
  return (request) => {
    const given = bearerOf(request);
    return wanted !== null && given !== undefined && timingSafeEqual(hash(given), wanted);
  };
}

const bearerOf = ({ headers: { authorization = '' } }: FastifyRequest): string | undefined =>
  /^Bearer +(\S+)$/i.exec(authorization)?.[1];

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
    const given = bearerOf(request);
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
