import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import { lockAuditLog } from './audit.repository.ts';
import { lockOutChanges } from './changes-under-way.repository.ts';
import type { RegistryTransaction } from './tables.ts';

/** What a change locks beside the end of the audit log, which all of them lock. */
export interface Locks {
  /** Nobody begins work that relies on files of the store. */
  changesUnderWay?: boolean;
  channels?: readonly ChannelName[];
  /** Nobody writes what a registry is for, whatever program it runs. */
  tables?: boolean;
}

/**
 * The only place where a change takes locks, so they are always taken in this order, and no two changes wait for each
 * other. What is read after this still holds when the change is committed. `docs/decisions/0015-atomic-idempotent-changes.md`.
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

/** The columns of a channel that point to releases. */
export const pointers = [
  'stable as live',
  'candidate as canary',
  'candidate_basis_points as canaryBasisPoints',
  'candidate_first as canaryFirst',
] as const;

/** Takes the channel for this transaction: anyone else who wants to move its pointers waits. */
export async function lockChannel(transaction: RegistryTransaction, channel: ChannelName) {
  return transaction
    .selectFrom('channels')
    .select(pointers)
    .where('name', '=', channel)
    .forUpdate()
    .executeTakeFirstOrThrow();
}
