import type { Policy } from '@site/guard/policy';

/** The guard's policy for an app: its own, else the default policy, else `act`. */
export function policyOf(policies: readonly { app: string | null; mode: Policy }[], app: string): Policy {
  const set = (name: string | null) => policies.find((policy) => policy.app === name)?.mode;
  return set(app) ?? set(null) ?? 'act';
}
