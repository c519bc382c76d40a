import type { Transaction } from 'kysely';
import { chain, type AuditEntry } from '../domain/audit-chain.ts';
import type { RegistryTables } from './tables.ts';

/** Appends to the audit log, in the transaction of the change it tells of. Writers wait for each other at its head. */
export async function appendAudit(
  transaction: Transaction<RegistryTables>,
  event: Omit<AuditEntry, 'sequence' | 'at'> & { at: Date },
): Promise<void> {
  const head = await transaction
    .selectFrom('audit_head')
    .select(['sequence', 'hash'])
    .where('id', '=', 1)
    .forUpdate()
    .executeTakeFirstOrThrow();
  const { sequence, by, action, subject, details, previousHash, hash } = chain(
    { ...event, at: event.at.toISOString(), sequence: head.sequence + 1 },
    head.hash,
  );
  await transaction
    .insertInto('audit_events')
    .values({
      sequence,
      at: event.at,
      by,
      action,
      subject,
      details: JSON.stringify(details),
      previous_hash: previousHash,
      hash,
    })
    .execute();
  await transaction.updateTable('audit_head').set({ sequence, hash }).where('id', '=', 1).execute();
}
