import { digest } from './canonical-json.ts';

export interface AuditEntry {
  sequence: number;
  /** ISO 8601, UTC, milliseconds. */
  at: string;
  by: string;
  action: string;
  subject: string;
  details: Record<string, unknown>;
}

export interface ChainedAuditEntry extends AuditEntry {
  previousHash: string;
  hash: string;
}

export const GENESIS_HASH = '0'.repeat(64);

/** Chains an entry to the previous one: changing, removing or inserting any earlier entry changes every later hash. */
export function chain(
  { sequence, at, by, action, subject, details }: AuditEntry,
  previousHash: string,
): ChainedAuditEntry {
  const content = { sequence, at, by, action, subject, details, previousHash };
  return { ...content, hash: digest(content) };
}
