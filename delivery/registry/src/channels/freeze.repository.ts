import type { ChannelName, Freeze } from '@site/contract';
import { GUARD_NAME } from '@site/contract/registry-calls/upkeep.calls';
import { findUnconfirmed } from '../kernel/audit.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';
import type { ChangeContext } from '../kernel/change-context.ts';

/** Stored app name of a channel-wide freeze. No app can have this name. */
const EVERYTHING = '*';

/** Channel-wide freezes first, then apps by name. */
export async function listFreezes(db: RegistryDb, channel: ChannelName): Promise<Freeze[]> {
  const rows = await db
    .selectFrom('freezes')
    .selectAll()
    .where('channel', '=', channel)
    .orderBy('app')
    .execute();
  const unconfirmed = await findUnconfirmed(db);
  return [
    ...(unconfirmed?.kind === 'lost'
      ? [{ app: null, by: GUARD_NAME, at: unconfirmed.at, reason: unconfirmed.says }]
      : []),
    ...rows.map(({ app, by, at, reason }) => ({
      app: app === EVERYTHING ? null : app,
      by,
      at: at.toISOString(),
      reason,
    })),
  ];
}

/** A null app freezes the whole channel. An existing freeze is unchanged. */
export async function insertFreeze(
  { transaction, by, at }: ChangeContext,
  { channel, app, reason }: { channel: ChannelName; app: string | null; reason: string },
): Promise<void> {
  await transaction
    .insertInto('freezes')
    .values({ channel, app: app ?? EVERYTHING, reason, by, at })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function deleteFreeze(
  { transaction }: ChangeContext,
  { channel, app }: { channel: ChannelName; app: string | null },
): Promise<void> {
  await transaction
    .deleteFrom('freezes')
    .where('channel', '=', channel)
    .where('app', '=', app ?? EVERYTHING)
    .execute();
}
