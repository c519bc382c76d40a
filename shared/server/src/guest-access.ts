import { APP_ID_HEADER, TokenPayloadSchema } from '@site/contract';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { defineErrors } from './api-error.ts';
import { baseErrors } from './base-errors.ts';
import { parseBearer } from './secrets.ts';

export const accessErrors = defineErrors({
  idempotency_key_invalid: {
    status: 400,
    title: 'Invalid Idempotency-Key',
    remedy: 'Send one random value per attempt, such as a UUID: 16 to 200 visible ASCII characters.',
  },
  app_unknown: {
    status: 401,
    title: 'Unknown app',
    remedy: 'Send the app id of the site in the "appid" header.',
  },
  token_missing: {
    status: 401,
    title: 'The token is missing',
    remedy: 'Send the guest\'s token as "Authorization: Bearer <token>".',
  },
  token_invalid: {
    status: 401,
    title: 'The token is not valid',
    remedy: 'Discard this token and create a guest with POST /guests at the gateway.',
  },
  token_expired: {
    status: 401,
    title: 'The token has expired',
    remedy: 'Renew it with POST /guests/{id}/auth at the gateway.',
  },
  guest_not_yours: {
    status: 403,
    title: "Not this token's guest",
    remedy: 'A guest can read and change only itself: use the id in its token.',
  },
});

/**
 * Verifies signature, issuer, audience and expiry of a token (with a tolerance of `graceSeconds`), and
 * returns its payload. Rejects with an error of the jose library.
 */
export type VerifyToken = (token: string, graceSeconds: number) => Promise<unknown>;

export interface GuestAccess {
  /** @throws ApiError `app_unknown` */
  requireApp(request: FastifyRequest): void;
  /**
   * The guest of the request's token, or null without one.
   * @throws ApiError `token_invalid`, `token_expired`; `unavailable` if the keys cannot be fetched
   */
  guestOfToken(request: FastifyRequest, graceSeconds?: number): Promise<string | null>;
  /**
   * The id in the path, if the request comes from that guest.
   * @throws ApiError as `requireApp` and `guestOfToken`, and `token_missing`, `guest_not_yours`
   */
  ownGuest(request: FastifyRequest, graceSeconds?: number): Promise<string>;
}

/** Three base64url parts. */
const JWT = /^[\w-]+\.[\w-]+\.[\w-]+$/;

export function createGuestAccess(
  verify: VerifyToken,
  appIds: readonly string[],
  limitGuest: (request: FastifyRequest, guest: string) => Promise<void>,
): GuestAccess {
  async function guestOfToken(request: FastifyRequest, graceSeconds = 0): Promise<string | null> {
    const header = request.headers.authorization;
    if (header === undefined || header === '') return null;
    const token = parseBearer(header);
    if (!token || !JWT.test(token))
      throw refused('token_invalid', 'The "Authorization" header contains no token.');
    const payload = v.safeParse(TokenPayloadSchema, await verified(token, graceSeconds));
    if (!payload.success) throw refused('token_invalid', 'The token has no guest id.');
    await limitGuest(request, payload.output.user_unique_id);
    return payload.output.user_unique_id;
  }

  async function verified(token: string, graceSeconds: number): Promise<unknown> {
    try {
      return await verify(token, graceSeconds);
    } catch (cause) {
      const code = String((cause as { code?: unknown }).code);
      if (code === 'ERR_JWT_EXPIRED') throw refused('token_expired', 'The token has expired.', cause);
      // See https://github.com/panva/jose/blob/main/src/util/errors.ts: key set errors are not the client's
      // fault. `fetch` fails with a `TypeError`.
      if (/^ERR_(JWKS_(TIMEOUT|INVALID)|JOSE_GENERIC)$/.test(code) || (cause as Error).name === 'TypeError') {
        throw baseErrors.unavailable('The public keys of the tokens are unavailable.', { cause });
      }
      if (/^ERR_J/.test(code)) throw refused('token_invalid', 'The token cannot be verified.', cause);
      throw cause;
    }
  }

  function requireApp(request: FastifyRequest): void {
    if (appIds.length === 0) return;
    const appId = request.headers[APP_ID_HEADER];
    if (typeof appId !== 'string' || !appIds.includes(appId)) {
      throw accessErrors.app_unknown(`The app id ${appId === undefined ? 'is missing' : 'is unknown'}.`, {
        source: { header: APP_ID_HEADER },
      });
    }
  }

  return {
    requireApp,
    guestOfToken,
    async ownGuest(request, graceSeconds = 0) {
      requireApp(request);
      const { id } = request.params as { id: string };
      const guest = await guestOfToken(request, graceSeconds);
      if (guest === null) throw refused('token_missing', 'This call requires a token.');
      if (guest !== id.toLowerCase()) {
        throw accessErrors.guest_not_yours(
          'The token belongs to a different guest than the one in the path.',
        );
      }
      return guest;
    },
  };
}

function refused(code: 'token_missing' | 'token_invalid' | 'token_expired', what: string, cause?: unknown) {
  const challenge = code === 'token_missing' ? 'Bearer' : 'Bearer error="invalid_token"';
  return accessErrors[code](what, {
    source: { header: 'authorization' },
    headers: { 'www-authenticate': challenge },
    cause,
  });
}
