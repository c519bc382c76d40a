import { chain, GENESIS_HASH } from '../kernel/audit-chain.ts';
import { auditHead } from '../kernel/audit.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export interface AuditCheck {
  entries: number;
  hash: string;
  ok: boolean;
  problem: string | null;
}

export interface AuditCheckOptions {
  after?: { sequence: number; hash: string };
  onEntry?: (sequence: number, hash: string) => void;
}

const PORTION = 500;

export async function checkAuditLog(
  db: RegistryDb,
  { after = { sequence: 0, hash: GENESIS_HASH }, onEntry }: AuditCheckOptions = {},
): Promise<AuditCheck> {
  // Read the end first: concurrent changes append entries after it.
  const head = await auditHead(db);
  let { sequence, hash } = after;
  const broken = (problem: string): AuditCheck => ({ entries: sequence, hash, ok: false, problem });
  if (!head) return broken('The recorded end of the audit log is missing.');
  if (head.sequence < sequence)
    return broken(
      `The log ends with entry ${head.sequence}: the entries from there to ${sequence} were cut off.`,
    );
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
      if (row.sequence !== sequence + 1) return broken(`Entry ${sequence + 1} is missing.`);
      const expected = chain({ ...row, at: row.at.toISOString() }, hash);
      if (row.previous_hash !== hash || row.hash !== expected.hash) {
        return broken(
          `Entry ${row.sequence} (${row.action} ${row.subject}) was changed, or the one before it.`,
        );
      }
      ({ sequence, hash } = row);
      onEntry?.(sequence, hash);
    }
  }
  if (hash !== head.hash) return broken(`The log does not end as recorded: entry ${sequence} was changed.`);
  return { entries: sequence, hash, ok: true, problem: null };
}
