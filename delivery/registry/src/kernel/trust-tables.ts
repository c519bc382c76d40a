import type { ColumnType } from 'kysely';

/** The tables of keyless publishing. `docs/decisions/0023-keyless-publishing-and-provenance.md`. */
export interface TrustTables {
  trusts: TrustsTable;
  used_id_tokens: UsedIdTokensTable;
}

interface TrustsTable {
  id: string;
  app: string;
  issuer: string;
  /** Exact, or with a trailing `*`; the same applies to the claims. */
  subject: string;
  audience: string;
  claims: ColumnType<Record<string, string>, string, string>;
  activate: boolean;
  by: string;
  at: Date;
  used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** Used id tokens, kept until they expire: each is valid once. */
interface UsedIdTokensTable {
  /** SHA-256, in hex, of its signed part. */
  digest: string;
  expires_at: Date;
}
