import type { FastifyRequest } from 'fastify';
import { allowsPublishing, isOfEdge } from '../domain/scopes.ts';
import type { Actor } from '../use-cases/context.ts';
import { scopeMissing } from '../use-cases/require-scope.ts';

export { requireScope } from '../use-cases/require-scope.ts';

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

/** @throws ApiError `scope_missing` unless the sender may publish some app. */
export function requirePublisher(actor: Actor): void {
  if (!allowsPublishing(actor.scopes)) throw scopeMissing(actor, 'publish:<app>');
}

/** @throws ApiError `scope_missing` unless an edge sends this. */
export function requireEdge(actor: Actor): void {
  if (!isOfEdge(actor.scopes)) throw scopeMissing(actor, 'edge:<id>');
}
