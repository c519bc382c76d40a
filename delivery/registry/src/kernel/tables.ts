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

/** Read as a value, written as text: the one way that is the same with every driver. */
type Json<T> = ColumnType<T, string, string>;

/** The registry's database, or a transaction of it: for whoever only reads, both are the same. */
export type RegistryDb = Kysely<RegistryTables>;

export type RegistryTransaction = Transaction<RegistryTables>;

/** What the registry keeps. `docs/decisions/0014-append-only-registry-data-model.md` says why it looks like this. */
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
  /** The ids of the trusts that a pipeline got it by; null where ops made it. */
  trusts: ColumnType<string[] | null, string | null | undefined, string | null>;
  /** What is known of that pipeline, and is noted of what it publishes. */
  provenance: ColumnType<Provenance | null, string | null | undefined, string | null>;
}

/** Whose an app is, and the paths that are kept for it. `by` and `at`: who registered it, or published it first, and when. */
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
  /** The order of publishing: publishing a version again gives it a new number. */
  sequence: Generated<number>;
  manifest: Json<VersionManifest>;
  /** The bytes of the manifest as text; the database counts them. */
  manifest_bytes: ColumnType<number, never, never>;
  /** The commit that the manifest names; the database copies it. */
  commit: ColumnType<string | null, never, never>;
  /** Digest of the manifest without what differs from build to build of the same sources. */
  content_digest: string;
  /** The size of all its files together. */
  bytes: Generated<number>;
  /** The blob that holds its files together, for edges that load it; null where there is none. */
  pack: Generated<string | null>;
  /** The blob that holds its source maps; null where there is none. No manifest names it, so no edge learns of it. */
  source_maps: Generated<string | null>;
  /** The forms of its own that its manifest declares; null where it has none. Beside it, for they are asked for all the time. */
  declared_forms: ColumnType<FormDeclaration[] | null, string | null, never>;
  published_by: string;
  published_at: Date;
  provenance: ColumnType<Provenance | null, string | null | undefined, string | null>;
  /** When its files were removed from the store; publishing it again brings them back. */
  collected_at: ColumnType<Date | null, Date | null | undefined, Date | null>;
}

/** Versions that nobody may activate without saying so. */
interface QuarantinesTable {
  app: string;
  version: string;
  reason: string;
  by: string;
  at: Date;
}

/** Every file ever published: a path of an app has one content, forever. */
interface AssetsTable {
  app: string;
  path: string;
  integrity: string;
  size: number;
}

/** What the document of a rendered page weighs beside the release's table. */
export interface PageWeight {
  /** A hash of the page, and of how documents are put together and compressed: when it changes, the page is weighed again. */
  of: string;
  /** Uncompressed. */
  bytes: number;
  /** Compressed with brotli, as it is sent. */
  sent: number;
}

/** The index of pages that are rendered already. The key holds everything that a rendering depends on. */
interface RenderedPagesTable {
  shell_version: string;
  app: string;
  app_version: string;
  config_digest: string;
  path: string;
  variant_key: string;
  integrity: string;
  rendered_at: Date;
  /** The blob that holds this page and others of its remote; null where there is none. */
  pack: Generated<string | null>;
  /** What its document weighs; null until it was weighed. */
  weight: ColumnType<PageWeight | null, string | null, string | null>;
}

/** What the author of a release said about it, one column for each field. It is null in releases that are older than the field. */
type AuthorColumns = {
  [Field in keyof AuthorFields]-?: undefined extends AuthorFields[Field]
    ? ColumnType<AuthorFields[Field] | null, AuthorFields[Field], never>
    : AuthorFields[Field];
};

/** Append-only (a trigger refuses anything else), and so are `release_apps`, `app_changes`, `revocations` and `audit_events`. */
interface ReleasesTable extends AuthorColumns {
  number: number;
  channel: ChannelName;
  kind: Release['kind'];
  /** A canary's release was never live, so its versions do not count as "live before". */
  as_candidate: boolean;
  /** The remotes that it leaves out, with the version that each of them had. */
  absent: Json<Record<string, string>>;
  /** The remotes that were retired. */
  retired: Json<Record<string, Retired>>;
  config: Json<SiteConfig>;
  config_digest: string;
  by: string;
  at: Date;
  parent: number | null;
}

/** One row: the number that was given out last. */
interface ReleaseHeadTable {
  id: number;
  number: number;
}

interface ReleaseAppsTable {
  release: number;
  /** That of the release. */
  channel: ChannelName;
  app: string;
  version: string;
  last_good: string | null;
}

/** Every version that was ever live on a channel for everyone: what could be gone back to, without reading the history. */
interface LiveVersionsTable {
  app: string;
  version: string;
  channel: ChannelName;
  /** The live release that brought it last. */
  since: number;
  /** Quarantined after that, also when the quarantine was lifted since. */
  found_bad: boolean;
}

/** How much each app keeps, counted by a trigger. */
interface AppUsageTable {
  app: string;
  versions: number;
  bytes: number;
}

/** Which releases, live or of a canary, changed an app. Append-only. */
interface AppChangesTable {
  channel: ChannelName;
  app: string;
  release: number;
}

interface RevocationsTable {
  release: number;
  /** That of the release. */
  channel: ChannelName;
  reason: string;
  by: string;
  at: Date;
}

interface ChannelsTable {
  name: ChannelName;
  stable: number | null;
  candidate: number | null;
  /** Of 10,000 visitors, those who see the canary. */
  candidate_basis_points: number | null;
  /** The release that the canary began with; `candidate`, which it is now, is another one once it was carried over. */
  candidate_first: number | null;
}

/** What may not change for now. */
interface FreezesTable {
  channel: ChannelName;
  /** `*` stands for everything. */
  app: string;
  reason: string;
  by: string;
  at: Date;
}

/** What each edge said last: which release, and which canary, it serves now. */
interface EdgesTable {
  id: string;
  channel: ChannelName;
  release: number | null;
  candidate: number | null;
  candidate_basis_points: number | null;
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

/** One row: the end of the chain. It orders writers, and shows when the last entries were cut off. */
interface AuditHeadTable {
  id: 1;
  sequence: number;
  hash: string;
}

/** Answers to changes, kept so that a command that is retried after a lost answer does not act twice. */
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
