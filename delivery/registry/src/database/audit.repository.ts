import type { Kysely, Transaction } from 'kysely';
import type { AuditAnswer } from '@site/contract';
import { chain, type AuditEntry } from '../domain/audit-chain.ts';
import type { RegistryTables } from './tables.ts';

/**
 * Takes the end of the audit log for this transaction. Every change ends with an entry, so whoever takes it first puts
 * all changes one after the other: what is checked after this still holds when the change is committed.
 */
export async function lockAuditLog(transaction: Transaction<RegistryTables>) {
  return transaction
    .selectFrom('audit_head')
    .select(['sequence', 'hash'])
    .where('id', '=', 1)
    .forUpdate()
    .executeTakeFirstOrThrow();
}

/** Appends to the audit log, in the transaction of the change that it records. Writers wait for each other at its head. */
export async function appendAudit(
  transaction: Transaction<RegistryTables>,
  event: Omit<AuditEntry, 'sequence' | 'at'> & { at: Date },
): Promise<void> {
  const head = await lockAuditLog(transaction);
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

/** Entries of the audit log, newest first. */
export async function listAuditEvents(
  db: Kysely<RegistryTables>,
  { limit, before }: { limit: number; before: number },
): Promise<AuditAnswer['events']> {
  const rows = await db
    .selectFrom('audit_events')
    .select(['sequence', 'at', 'by', 'action', 'subject', 'details', 'hash'])
    .where('sequence', '<', before)
    .orderBy('sequence', 'desc')
    .limit(limit)
    .execute();
  return rows.map((row) => ({ ...row, at: row.at.toISOString() }));
}
