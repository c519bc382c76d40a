import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseErrors } from '@site/server/base-errors';

/** No name in the registry contains control characters, and PostgreSQL fails on NUL. */
export function refuseUnstorable(request: FastifyRequest, _reply: FastifyReply, done: () => void): void {
  const given: Record<string, unknown> = { ...(request.query as object), ...(request.params as object) };
  for (const [parameter, value] of Object.entries(given)) {
    const refuse = (why: string) =>
      baseErrors.request_malformed(`"${parameter}" ${why}.`, { source: { parameter } });
    if (Array.isArray(value)) throw refuse('is given more than once');
    if (/\p{Cc}/u.test(String(value))) throw refuse('has a control character');
  }
  done();
}
