import type { ColumnType, Generated, Kysely, Selectable, Transaction } from 'kysely';
import type {
  ChannelName,
  FormDeclaration,
  Release,
  Retired,
  SiteConfig,
  VersionManifest,
} from '@site/contract';
import type { AuthorFields } from '@site/contract/author-fields';
import type { Provenance } from '@site/contract/provenance';
import type { Scope } from '@site/contract/registry-calls/scopes';
import type { AlertTables } from './alert-tables.ts';
import type { ConsoleTables } from './console-tables.ts';
import type { SignalTables } from './signal-tables.ts';
import type { TrustTables } from './trust-tables.ts';
import type { UpkeepTables } from './upkeep-tables.ts';

/** Written as text and read as a value, which works with every driver. */
type Json<T> = ColumnType<T, string, string>;

/** A database or a transaction of it, for read-only code. */
export type RegistryDb = Kysely<RegistryTables>;

export type RegistryTransaction = Transaction<RegistryTables>;

/** The registry's tables. Reasons: `docs/decisions/0014-append-only-registry-data-model.md`. */
export interface RegistryTables extends UpkeepTables, SignalTables, AlertTables, ConsoleTables, TrustTables {
  tokens: TokensTable;
  apps: AppsTable;
  versions: VersionsTable;
  quarantines: QuarantinesTable;
  assets: AssetsTable;
  rendered_pages: RenderedPagesTable;
  releases: ReleasesTable;
  release_head: ReleaseHeadTable;
  release_apps: ReleaseAppsTable;
  live_versions: LiveVersionsTable;
  app_changes: AppChangesTable;
  app_usage: AppUsageTable;
  revocations: RevocationsTable;
  channels: ChannelsTable;
  freezes: FreezesTable;
  edges: EdgesTable;
  audit_events: AuditEventsTable;
  audit_head: AuditHeadTable;
  idempotency_keys: IdempotencyKeysTable;
}

/** Credentials. The token itself is shown once and stored only as its SHA-256. */
interface TokensTable {
  id: string;
  name: string;
  hash: string;
  scopes: Json<Scope[]>;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  /** The trusts behind a pipeline's token; null for tokens made by ops. */
  trusts: ColumnType<string[] | null, string | null | undefined, string | null>;
  /** The pipeline's claims, recorded with what it publishes. */
  provenance: ColumnType<Provenance | null, string | null | undefined, string | null>;
}

/** `by` and `at`: of the registration or the first version. */
interface AppsTable {
  app: string;
  owner: string;
  paths: Json<string[]>;
  by: string;
  at: Date;
}

interface VersionsTable {
  app: string;
  version: string;
  /** The order of publishing. Republishing a version assigns a new number. */
  sequence: Generated<number>;
  manifest: Json<VersionManifest>;
  /** Computed by the database. */
  manifest_bytes: ColumnType<number, never, never>;
  /** Copied from the manifest by the database. */
  commit: ColumnType<string | null, never, never>;
  /** Digest of the manifest without the parts that differ between builds of the same sources. */
  content_digest: string;
  bytes: Generated<number>;
  /** Loaded by edges. */
  pack: Generated<string | null>;
  /** Not in the manifest, so edges never see it. */
  source_maps: Generated<string | null>;
  /** A separate column because it is read often. */
  declared_forms: ColumnType<FormDeclaration[] | null, string | null, never>;
  published_by: string;
  published_at: Date;
  provenance: ColumnType<Provenance | null, string | null | undefined, string | null>;
  /** Its files were deleted from the store. Republishing restores them. */
  collected_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

interface QuarantinesTable {
  app: string;
  version: string;
  reason: string;
  by: string;
  at: Date;
}

/** Every file ever published: an app's path has the same content forever. */
interface AssetsTable {
  app: string;
  path: string;
  integrity: string;
  size: number;
}

/** The weight of a rendered page's document without the release's table. */
export interface PageWeight {
  /** Hash of the page, the document format and the compression: a change invalidates the weight. */
  of: string;
  bytes: number;
  /** Brotli, as sent. */
  sent: number;
}

/** The index of rendered pages. The key contains all inputs of a rendering. */
interface RenderedPagesTable {
  shell_version: string;
  app: string;
  app_version: string;
  config_digest: string;
  path: string;
  variant_key: string;
  integrity: string;
  rendered_at: Date;
  pack: Generated<string | null>;
  /** Null until measured. */
  weight: ColumnType<PageWeight | null, string | null, string | null>;
}

/** One column each. Null in releases that predate the field. */
type AuthorColumns = {
  [Field in keyof AuthorFields]-?: undefined extends AuthorFields[Field]
    ? ColumnType<AuthorFields[Field] | null, AuthorFields[Field], never>
    : AuthorFields[Field];
};

/** Append-only by a trigger, like `release_apps`, `app_changes`, `revocations` and `audit_events`. */
interface ReleasesTable extends AuthorColumns {
  number: number;
  channel: ChannelName;
  kind: Release['kind'];
  /** A canary's release was never live, so its versions do not count as "live before". */
  as_canary: boolean;
  /** App → previous version. */
  left_out: Json<Record<string, string>>;
  retired: Json<Record<string, Retired>>;
  config: Json<SiteConfig>;
  config_digest: string;
  by: string;
  at: Date;
  parent: number | null;
}

/** One row: the last issued number. */
interface ReleaseHeadTable {
  id: number;
  number: number;
}

interface ReleaseAppsTable {
  release: number;
  channel: ChannelName;
  app: string;
  version: string;
  last_good: string | null;
}

/** Every version that was ever live: the rollback candidates, without reading the history. */
interface LiveVersionsTable {
  app: string;
  version: string;
  channel: ChannelName;
  /** The last live release that introduced it. */
  since: number;
  /** Quarantined after that, even if the quarantine was lifted. */
  found_bad: boolean;
}

/** Usage per app, maintained by a trigger. */
interface AppUsageTable {
  app: string;
  versions: number;
  bytes: number;
}

/** The live and canary releases that changed an app. Append-only. */
interface AppChangesTable {
  channel: ChannelName;
  app: string;
  release: number;
}

interface RevocationsTable {
  release: number;
  channel: ChannelName;
  reason: string;
  by: string;
  at: Date;
}

interface ChannelsTable {
  name: ChannelName;
  live: number | null;
  canary: number | null;
  /** The canary's share of visitors, out of 10,000. */
  canary_basis_points: number | null;
  /** The canary's initial release. A rebase changes only `canary`. */
  canary_first: number | null;
}

interface FreezesTable {
  channel: ChannelName;
  /** `*` is the whole channel. */
  app: string;
  reason: string;
  by: string;
  at: Date;
}

/** Each edge's last report: the release and the canary that it serves. */
interface EdgesTable {
  id: string;
  channel: ChannelName;
  release: number | null;
  canary: number | null;
  canary_basis_points: number | null;
  seen_at: Date;
}

interface AuditEventsTable {
  sequence: number;
  at: Date;
  by: string;
  action: string;
  subject: string;
  details: Json<Record<string, unknown>>;
  previous_hash: string;
  hash: string;
}

/** One row: the end of the chain. It serializes writers, and reveals truncation. */
interface AuditHeadTable {
  id: 1;
  sequence: number;
  hash: string;
}

/** Stored responses, so that a retry after a lost response has no second effect. */
interface IdempotencyKeysTable {
  token_id: string;
  key: string;
  request_digest: string;
  status: number;
  response: Json<unknown>;
  created_at: Date;
}

export type ReleaseRow = Selectable<ReleasesTable>;
export type QuarantineRow = Selectable<QuarantinesTable>;
export type TokenRow = Selectable<TokensTable>;
