import { IDEMPOTENCY_HEADER } from '@site/contract';
import type { FastifyRequest } from 'fastify';
import * as v from 'valibot';
import { accessErrors } from './guest-access.ts';
import type { Parameter } from './service-description.ts';

export const idempotencyKey = {
  name: 'Idempotency-Key',
  in: 'header',
  required: false,
  schema: v.pipe(
    v.string(),
    v.regex(/^[\x21-\x7e]{16,200}$/),
    v.description('One random value per attempt, repeated for retries.'),
  ),
} satisfies Parameter;

/**
 * The Idempotency-Key of a request, or null. At the gateway a key proves who created a guest.
 * @throws ApiError `idempotency_key_invalid`
 */
export function readIdempotencyKey(request: FastifyRequest): string | null {
  const key = request.headers[IDEMPOTENCY_HEADER];
  if (key === undefined) return null;
  if (v.is(idempotencyKey.schema, key)) return key;
  throw accessErrors.idempotency_key_invalid(
    'The "Idempotency-Key" is too short, too long, or has invalid characters.',
    {
      source: { header: IDEMPOTENCY_HEADER },
    },
  );
}
