import type { FastifyInstance, FastifyRequest } from 'fastify';
import { baseErrors } from '@site/server/base-errors';
import { actorAccount } from './actor.ts';
import { requireActor } from './mount-calls.ts';

/** Concurrent request bodies per token. Each holds memory for as long as its client likes. */
const AT_ONCE = 50;

/** Call it before the routes are added. */
export function limitArrivingBodies(api: FastifyInstance): void {
  const arriving = new Map<string, number>();
  const arrived = new WeakMap<FastifyRequest, () => void>();

  api.addHook('preParsing', (request, reply, payload, done) => {
    if (!hasBodyInMemory(request)) return done(null, payload);
    const account = actorAccount(requireActor(request));
    const count = arriving.get(account) ?? 0;
    if (count >= AT_ONCE) {
      const error = baseErrors.rate_limited(
        `${count} requests of this token are on their way, whose bodies have not arrived.`,
        {
          headers: { 'retry-after': '10' },
        },
      );
      return done(error);
    }
    arriving.set(account, count + 1);
    const end = () => {
      if (!arrived.delete(request)) return;
      const rest = (arriving.get(account) ?? 0) - 1;
      if (rest > 0) arriving.set(account, rest);
      else arriving.delete(account);
    };
    arrived.set(request, end);
    reply.raw.once('close', end);
    if (reply.raw.destroyed) end();
    done(null, payload);
  });
  // The body is complete at this point.
  api.addHook('preValidation', (request, _reply, done) => {
    arrived.get(request)?.();
    done();
  });
}

/** Uploads have their own queue, and a backup is never in memory as a whole. */
function hasBodyInMemory({ routeOptions }: FastifyRequest): boolean {
  const { call } = routeOptions.config;
  return call !== undefined && call.method !== 'GET' && typeof call.body !== 'string';
}
