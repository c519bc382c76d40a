import type { NeededScopes } from '@site/contract/registry-calls/call';
import type { Scope } from '@site/contract/registry-calls/scopes';
import { allows } from './scopes.ts';
import { registryErrors } from './registry-errors.ts';
import type { Actor } from './actor.ts';

/** @throws ApiError `scope_missing` unless the caller's token has one of the scopes, or `ops`. */
export function requireScope({ name, scopes }: Actor, ...oneOf: readonly Scope[]): void {
  if (oneOf.some((scope) => allows(scopes, scope))) return;
  throw registryErrors.scope_missing(
    `This needs the scope "${oneOf.join('" or "')}"; the token "${name}" has: ${scopes.join(', ') || 'none'}.`,
    { source: { header: 'authorization' } },
  );
}

/** @throws ApiError `scope_missing` unless the caller has all needed scopes. */
export function requireScopes(actor: Actor, needed: NeededScopes): void {
  for (const one of needed) requireScope(actor, ...(typeof one === 'string' ? [one] : one));
}
