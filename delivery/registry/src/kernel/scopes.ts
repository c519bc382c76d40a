import type { Scope } from '@site/contract/registry-calls/scopes';
import type { NeededScopes } from '@site/contract/registry-calls/call';
import { registryErrors } from './registry-errors.ts';
import type { Actor } from './actor.ts';

/** `<app>` and `<id>` match any. `ops` includes everything. */
export function allows(scopes: readonly Scope[], needed: Scope): boolean {
  if (scopes.includes('ops') || scopes.includes(needed)) return true;
  const prefix = /^(publish:|edge:)<\w+>$/.exec(needed)?.[1];
  return prefix !== undefined && scopes.some((scope) => scope.startsWith(prefix));
}

export function requireScope({ name, scopes }: Actor, ...alternatives: readonly Scope[]): void {
  if (alternatives.some((scope) => allows(scopes, scope))) return;
  throw registryErrors.scope_missing(
    `This needs the scope "${alternatives.join('" or "')}"; the token "${name}" has: ${scopes.join(', ') || 'none'}.`,
    { source: { header: 'authorization' } },
  );
}

export function requireScopes(actor: Actor, needed: NeededScopes): void {
  for (const one of needed) requireScope(actor, ...(typeof one === 'string' ? [one] : one));
}
