import type { Policy } from '@site/guard/policy';

/** What the guard may do about an app: what was set for it, else for all that have nothing of their own, else to act. */
export function policyOf(policies: readonly { app: string | null; mode: Policy }[], app: string): Policy {
  const set = (name: string | null) => policies.find((policy) => policy.app === name)?.mode;
  return set(app) ?? set(null) ?? 'act';
}
