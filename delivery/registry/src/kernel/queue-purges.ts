import { sql } from 'kysely';
import { CONFIGURATION, type ChannelName } from '@site/contract';
import { cacheKeys } from '@site/contract/cache-keys';
import type { StoredRelease } from '../channels/index.ts';
import type { ChangeContext } from './change-context.ts';

type Shown = Pick<StoredRelease, 'release' | 'configDigest'> | null | undefined;

/** Which responses for visitors without cookies differ when one is replaced by the other. */
function differingKeys(before: Shown, after: Shown): string[] {
  if (before === after || !after) return [];
  const [old = {}, apps] = [before?.release.apps, after.release.apps];
  const changed = Object.keys({ ...old, ...apps }).filter((app) => old[app] !== apps[app]);
  return before?.configDigest === after.configDigest ? changed : [...changed, cacheKeys.config];
}

/** @param canaries those that start or end: their pages are personal while they run. */
export function changedKeys(before: Shown, after: Shown, canaries: readonly { app: string }[]): string[] {
  const ofCanaries = canaries.map(({ app }) => (app === CONFIGURATION ? cacheKeys.config : app));
  return [...new Set([cacheKeys.table, ...differingKeys(before, after), ...ofCanaries])];
}

/** Queues a purge for each cache of the channel, also a failing one, in the transaction of the change. */
export async function queuePurges(
  { transaction, at }: Pick<ChangeContext, 'transaction' | 'at'>,
  channel: ChannelName,
  keys: readonly string[],
): Promise<void> {
  await sql`update registry.caches set next_at = null where channel = ${channel}`.execute(transaction);
  await sql`
    insert into registry.purges (channel, cache, keys, at)
    select channel, name, ${JSON.stringify(keys)}::jsonb, ${at}::timestamptz
    from registry.caches where channel = ${channel} order by name`.execute(transaction);
}
