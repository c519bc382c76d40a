import type { Session } from '@site/contract/registry-calls/session.calls';

/**
 * @returns why a token lacks permission, or null. @param needs all of these scopes; of an inner list, any one.
 */
export function permissionProblem(
  { scopes }: Pick<Session, 'scopes'>,
  needs: readonly (string | readonly string[])[],
): string | null {
  if (scopes.includes('ops')) return null;
  const missing = needs
    .map((need) => (typeof need === 'string' ? [need] : need))
    .filter((alternatives) => !alternatives.some((scope) => scopes.includes(scope)))
    .map((alternatives) => alternatives.join(' or '));
  return missing.length === 0 ? null : `Needs ${missing.join(' and ')}; your token has ${scopes.join(', ')}.`;
}
