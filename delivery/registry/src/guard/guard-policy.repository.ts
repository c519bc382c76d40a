import type { ChannelName } from '@site/contract';
import type { Policy } from '@site/guard/policy';
import type { RegistryDb } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

const EVERYTHING = '*';

export interface SetPolicy {
  app: string | null;
  mode: Policy;
  reason: string;
  by: string;
  at: Date;
}

export async function listPolicies(db: RegistryDb, channel: ChannelName): Promise<SetPolicy[]> {
  const rows = await db
    .selectFrom('guard_policies')
    .select(['app', 'mode', 'reason', 'by', 'at'])
    .where('channel', '=', channel)
    .orderBy('app')
    .execute();
  return rows.map((row) => ({ ...row, app: row.app === EVERYTHING ? null : row.app }));
}

/** A null mode deletes the policy, so the default applies. */
export async function setPolicy(
  { transaction, by, at }: ChangeContext,
  channel: ChannelName,
  { app, mode, reason }: { app: string | null; mode: Policy | null; reason: string },
): Promise<void> {
  const key = { channel, app: app ?? EVERYTHING };
  if (mode === null) {
    await transaction
      .deleteFrom('guard_policies')
      .where(({ and }) => and(key))
      .execute();
    return;
  }
  const set = { mode, reason, by, at };
  await transaction
    .insertInto('guard_policies')
    .values({ ...key, ...set })
    .onConflict((conflict) => conflict.columns(['channel', 'app']).doUpdateSet(set))
    .execute();
}

export function effectivePolicy(
  policies: readonly { app: string | null; mode: Policy }[],
  app: string,
): Policy {
  const set = (name: string | null) => policies.find((policy) => policy.app === name)?.mode;
  return set(app) ?? set(null) ?? 'act';
}
