import type { FastifyRequest } from 'fastify';
import { allows, allowsPublishing, type Scope } from '../domain/scopes.ts';
import { registryErrors } from '../errors.ts';
import type { Actor } from '../use-cases/context.ts';

declare module 'fastify' {
  interface FastifyRequest {
    actor: Actor | null;
  }
}

/** The sender of a request below `/v1/`, which the authentication hook has found. */
export function actorOf(request: FastifyRequest): Actor {
  if (!request.actor) throw new Error(`${request.url} is not below the authentication hook.`);
  return request.actor;
}

/** @throws ApiError `scope_missing` unless the sender's token has one of the scopes, or `ops`. */
export function requireScope(actor: Actor, ...oneOf: Scope[]): void {
  if (!oneOf.some((scope) => allows(actor.scopes, scope))) throw scopeMissing(actor, oneOf.join('" or "'));
}

/** @throws ApiError `scope_missing` unless the sender may publish some app. */
export function requirePublisher(actor: Actor): void {
  if (!allowsPublishing(actor.scopes)) throw scopeMissing(actor, 'publish:<app>');
}

function scopeMissing({ name, scopes }: Actor, needed: string) {
  return registryErrors.scope_missing(
    `This needs the scope "${needed}"; the token "${name}" has: ${scopes.join(', ') || 'none'}.`,
    { source: { header: 'authorization' } },
  );
}
