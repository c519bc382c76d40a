import type { Kysely } from 'kysely';
import { chain, GENESIS_HASH } from '../domain/audit-chain.ts';
import type { RegistryTables } from './tables.ts';

export interface AuditCheck {
  entries: number;
  ok: boolean;
  /** Which entry is wrong, and how. */
  problem: string | null;
}

const PORTION = 500;

/** Recomputes the chain of the audit log from its first entry to its recorded end, a portion at a time. */
export async function checkAuditLog(db: Kysely<RegistryTables>): Promise<AuditCheck> {
  // The end first: entries that are added meanwhile come after it.
  const head = await db
    .selectFrom('audit_head')
    .select(['sequence', 'hash'])
    .where('id', '=', 1)
    .executeTakeFirst();
  if (!head) return { entries: 0, ok: false, problem: 'The end of the audit log is not recorded any more.' };
  let previousHash = GENESIS_HASH;
  let sequence = 0;
  const broken = (problem: string): AuditCheck => ({ entries: sequence, ok: false, problem });
  while (sequence < head.sequence) {
    const rows = await db
      .selectFrom('audit_events')
      .selectAll()
      .where('sequence', '>', sequence)
      .where('sequence', '<=', head.sequence)
      .orderBy('sequence')
      .limit(PORTION)
      .execute();
    if (rows.length === 0)
      return broken(`The entries after ${sequence} are missing; ${head.sequence} were written.`);
    for (const row of rows) {
      sequence += 1;
      if (row.sequence !== sequence) return broken(`Entry ${sequence} is missing.`);
      const expected = chain({ ...row, at: row.at.toISOString() }, previousHash);
      if (row.previous_hash !== previousHash || row.hash !== expected.hash) {
        return broken(`Entry ${sequence} (${row.action} ${row.subject}) was changed, or the one before it.`);
      }
      previousHash = row.hash;
    }
  }
  if (previousHash !== head.hash)
    return broken(`The log does not end as recorded: entry ${sequence} was changed.`);
  return { entries: sequence, ok: true, problem: null };
}
