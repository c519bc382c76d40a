import { allows, type Scope } from '../domain/scopes.ts';
import { registryErrors } from '../errors.ts';
import type { Actor } from './context.ts';

/** @throws ApiError `scope_missing` unless the sender's token has one of the scopes, or `ops`. */
export function requireScope(actor: Actor, ...oneOf: Scope[]): void {
  if (!oneOf.some((scope) => allows(actor.scopes, scope))) throw scopeMissing(actor, oneOf.join('" or "'));
}

export function scopeMissing({ name, scopes }: Actor, needed: string) {
  return registryErrors.scope_missing(
    `This needs the scope "${needed}"; the token "${name}" has: ${scopes.join(', ') || 'none'}.`,
    { source: { header: 'authorization' } },
  );
}
