import { IDEMPOTENCY_HEADER } from '@site/contract';
import type { FastifyRequest } from 'fastify';
import { accessErrors } from './guest-access.ts';

/**
 * The Idempotency-Key of a request, or null without one. A short key could be guessed, and at the gateway a key proves
 * who created a guest.
 *
 * @throws ApiError `idempotency_key_invalid`
 */
export function idempotencyKeyOf(request: FastifyRequest): string | null {
  const key = request.headers[IDEMPOTENCY_HEADER];
  if (key === undefined) return null;
  if (typeof key === 'string' && /^[\x21-\x7e]{16,200}$/.test(key)) return key;
  throw accessErrors.idempotency_key_invalid(
    'The "Idempotency-Key" is too short, too long, or has odd characters.',
    {
      source: { header: IDEMPOTENCY_HEADER },
    },
  );
}
