import type { FastifyReply, FastifyRequest } from 'fastify';
import { baseErrors } from '@site/server/base-errors';

/**
 * Nothing in the registry has a name with control characters, and PostgreSQL fails on the first of them: a path or a query
 * that holds one is refused, whatever the route looks up with it. So is a parameter that is given twice.
 *
 * @throws ApiError `request_malformed`.
 */
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
