import type { ColumnType } from 'kysely';

/** The tables of pipelines that publish by their id tokens. `docs/decisions/0023-keyless-publishing-and-provenance.md`. */
export interface TrustTables {
  trusts: TrustsTable;
  used_id_tokens: UsedIdTokensTable;
}

/** Which pipelines may publish which app. */
interface TrustsTable {
  id: string;
  app: string;
  issuer: string;
  /** Exactly, or with one `*` at the end; so are the claims. */
  subject: string;
  audience: string;
  claims: ColumnType<Record<string, string>, string, string>;
  /** Whether they may make its versions live, too. */
  activate: boolean;
  by: string;
  at: Date;
  used_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** Id tokens that were exchanged, until they would have ended anyway: each is good once. */
interface UsedIdTokensTable {
  /** SHA-256, in hex, of the part of the token that is signed. */
  digest: string;
  good_until: Date;
}
