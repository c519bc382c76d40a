import type { JobTables } from '@site/server/daily-job';
import type { AuditTables } from '@site/server/visitor-admin';
import type { ColumnType, Generated } from 'kysely';

export interface GatewayTables extends AuditTables, JobTables {
  guests: GuestTable;
  signing_keys: SigningKeyTable;
}

export interface GuestTable {
  unique_id: string;
  user_unique_id: string;
  email: Generated<string>;
  name: Generated<string>;
  username: Generated<string>;
  status: Generated<string>;
  current_visiting_at: Date;
  /** Truncated: see `shortenAddress`. */
  current_visiting_ip: string;
  last_visiting_at: Date | null;
  last_visiting_ip: string | null;
  registered_at: Date;
  /** SHA-256 of the Idempotency-Key of the creation. */
  creation_key_hash: string | null;
}

export interface SigningKeyTable {
  kid: string;
  private_jwk: ColumnType<Record<string, unknown>, string, never>;
  created_at: Date;
  /** When it starts signing: later than `created_at`, so that verifiers have fetched it by then. */
  active_from: Date;
}
