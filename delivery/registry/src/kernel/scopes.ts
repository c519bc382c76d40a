import type { Scope } from '@site/contract/registry-calls/scopes';

/** `<app>` and `<id>` match any. `ops` includes everything. */
export function allows(scopes: readonly Scope[], needed: Scope): boolean {
  if (scopes.includes('ops') || scopes.includes(needed)) return true;
  const anyOf = /^(publish:|edge:)<\w+>$/.exec(needed)?.[1];
  return anyOf !== undefined && scopes.some((scope) => scope.startsWith(anyOf));
}
