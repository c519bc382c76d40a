import rateLimit from '@fastify/rate-limit';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { baseErrors } from './base-errors.ts';
import type { ApiError } from './api-error.ts';
import { numberVariable } from './config.ts';
import { MINUTE_MS } from './durations.ts';

export interface RateLimit {
  perAddress: number;
  perGuest: number;
}

export const rateLimitDefaults: RateLimit = { perAddress: 600, perGuest: 120 };

export const rateLimitVariables = {
  RATE_LIMIT_PER_ADDRESS: numberVariable(rateLimitDefaults.perAddress, 0, 1_000_000),
  RATE_LIMIT_PER_GUEST: numberVariable(rateLimitDefaults.perGuest, 0, 1_000_000),
};

declare module 'fastify' {
  interface FastifyInstance {
    limitGuest(request: FastifyRequest, guest: string): Promise<void>;
  }
}

/**
 * Limits every route by address, and adds `app.limitGuest`. Responses have the `ratelimit-*` headers of the
 * IETF draft.
 */
export async function addRateLimit(app: FastifyInstance, { perAddress, perGuest }: RateLimit): Promise<void> {
  if (perAddress > 0) {
    await app.register(rateLimit, {
      max: perAddress,
      timeWindow: MINUTE_MS,
      ipv6Subnet: 64,
      cache: 20_000,
      enableDraftSpec: true,
      errorResponseBuilder: (_request, { max, ttl }) => tooMany('this address', max, Math.ceil(ttl / 1000)),
    });
  }
  if (perGuest === 0) {
    app.decorate('limitGuest', () => Promise.resolve());
    return;
  }
  app.decorate('limitGuest', await addCallerLimit(app, { who: 'this guest', max: perGuest }));
}

function tooMany(who: string, max: number, seconds: number): ApiError {
  return baseErrors.rate_limited(`There were more than ${max} requests of ${who} within a minute.`, {
    headers: {
      'retry-after': String(seconds),
      'ratelimit-limit': String(max),
      'ratelimit-remaining': '0',
      'ratelimit-reset': String(seconds),
    },
  });
}

/**
 * A further limit for authenticated callers.
 * @param who the caller in the message, such as "this token".
 * @returns a check. @throws ApiError `rate_limited` if the caller exceeds `max` requests a minute.
 */
export async function addCallerLimit(
  app: FastifyInstance,
  { who, max }: { who: string; max: number },
): Promise<(request: FastifyRequest, caller: string) => Promise<void>> {
  if (!app.hasDecorator('createRateLimit')) await app.register(rateLimit, { global: false });
  const callers = new WeakMap<FastifyRequest, string>();
  const check = app.createRateLimit({
    max,
    timeWindow: MINUTE_MS,
    keyGenerator: (request) => `${who}:${callers.get(request) ?? ''}`,
  });
  return async (request, caller) => {
    callers.set(request, caller);
    const result = await check(request);
    if (!result.isAllowed && result.isExceeded) throw tooMany(who, max, result.ttlInSeconds);
  };
}
