import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { lockAuditLog } from './audit.repository.ts';
import { lockOutChanges } from './changes-under-way.repository.ts';
import type { RegistryTransaction } from './tables.ts';

/** In addition to the audit log's end, which every change locks. */
export interface Locks {
  /** Blocks work that relies on stored blobs. */
  changesUnderWay?: boolean;
  channels?: readonly ChannelName[];
  /** Blocks all writes of registry data, including by other programs. */
  tables?: boolean;
}

/**
 * The only place where a change takes locks. The fixed order prevents deadlocks, and reads made after it hold at the
 * commit. `docs/decisions/0015-atomic-idempotent-changes.md`.
 */
export async function takeLocks(
  transaction: RegistryTransaction,
  { changesUnderWay = false, channels = [], tables = false }: Locks,
): Promise<void> {
  if (changesUnderWay) await lockOutChanges(transaction);
  for (const channel of channels.toSorted()) await lockChannel(transaction, channel);
  await lockAuditLog(transaction);
  if (tables) {
    await sql`
      lock table registry.releases, registry.versions, registry.audit_events, registry.tokens
      in share row exclusive mode`.execute(transaction);
  }
}

export async function lockChannel(transaction: RegistryTransaction, channel: ChannelName) {
  return transaction
    .selectFrom('channels')
    .selectAll()
    .where('name', '=', channel)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
