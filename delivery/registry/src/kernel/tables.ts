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
import type { AlertFormat, AlertKind } from '@site/contract/registry-calls/alert.calls';
import type { Alert, Trouble } from '../alerts/index.ts';
import type { FaultSum } from '@site/contract/signals/sums.schema';
import type { PackageManifest } from '../packages/index.ts';
import type { JudgementState, SignalPlace, SignalSums } from '../signals/index.ts';
import type { Policy } from '@site/guard/policy';
import type { Verdict } from '@site/guard/verdict';

/** Written as text and read as a value, which works with every driver. */
type Json<T> = ColumnType<T, string, string>;

/** A database or a transaction of it, for read-only code. */
export type RegistryDb = Kysely<RegistryTables>;

export type RegistryTransaction = Transaction<RegistryTables>;

/** The registry's tables. Reasons: `docs/decisions/0014-append-only-registry-data-model.md`. */
export interface RegistryTables {
  tokens: TokensTable;
  apps: AppsTable;
  versions: VersionsTable;
  quarantines: QuarantinesTable;
  assets: AssetsTable;
  packages: PackagesTable;
  rendered_pages: RenderedPagesTable;
  releases: ReleasesTable;
  release_head: ReleaseHeadTable;
  release_apps: ReleaseAppsTable;
  live_versions: LiveVersionsTable;
  app_changes: AppChangesTable;
  app_usage: AppUsageTable;
  revocations: RevocationsTable;
  channels: ChannelsTable;
  canaries: CanariesTable;
  freezes: FreezesTable;
  edges: EdgesTable;
  audit_events: AuditEventsTable;
  audit_head: AuditHeadTable;
  idempotency_keys: IdempotencyKeysTable;
  alert_hooks: AlertHooksTable;
  alerts: AlertsTable;
  alert_troubles: AlertTroublesTable;
  alert_lease: AlertLeaseTable;
  inbox_alerts: InboxAlertsTable;
  caches: CachesTable;
  purges: PurgesTable;
  console_sessions: ConsoleSessionsTable;
  console_links: ConsoleLinksTable;
  signal_key: SignalKeyTable;
  signal_sources: SignalSourcesTable;
  signal_minutes: SignalSumsTable;
  signal_hours: SignalHoursTable;
  /** Five-minute sums over all routes (kept for 2 days). */
  signal_pulses: SignalSumsTable;
  experiment_counts: ExperimentCountsTable;
  fault_groups: FaultGroupsTable;
  judgements: JudgementsTable;
  guard_policies: GuardPoliciesTable;
  guard_actions: GuardActionsTable;
  version_standings: VersionStandingsTable;
  canary_stages: CanaryStagesTable;
  trusts: TrustsTable;
  used_id_tokens: UsedIdTokensTable;
  previews: PreviewsTable;
  changes_under_way: ChangesUnderWayTable;
  wanted_blobs: WantedBlobsTable;
  doomed_blobs: DoomedBlobsTable;
  damaged_blobs: DamagedBlobsTable;
  audit_anchored: AuditAnchoredTable;
}

interface TokensTable {
  id: string;
  name: string;
  hash: string;
  scopes: Json<Scope[]>;
  created_at: Date;
  expires_at: Date | null;
  revoked_at: Date | null;
  trusts: ColumnType<string[] | null, string | null | undefined, string | null>;
  provenance: ColumnType<Provenance | null, string | null | undefined, string | null>;
}

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
  commit: ColumnType<string | null, never, never>;
  /** The integrity of its server bundle. */
  server: ColumnType<string | null, never, never>;
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
interface PackagesTable {
  name: string;
  version: string;
  manifest: Json<PackageManifest>;
  tarball: Buffer;
  /** SHA-512, as npm computes it. */
  integrity: string;
  published_by: string;
  at: Date;
}

interface AssetsTable {
  app: string;
  path: string;
  integrity: string;
  size: number;
}

/** The weight of a rendered page's document. */
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
  since: number;
  /** Quarantined after that, even if the quarantine was lifted. */
  found_bad: boolean;
}

interface AppUsageTable {
  app: string;
  versions: number;
  bytes: number;
}

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
}

interface CanariesTable {
  /** Records the start. */
  release: number;
  channel: ChannelName;
  app: string;
  basis_points: number;
  ended_at: Date | null;
}

export interface ReportedCanary {
  release: number;
  app: string;
  basisPoints: number;
  digest?: string | undefined;
}

interface FreezesTable {
  channel: ChannelName;
  app: string;
  reason: string;
  by: string;
  at: Date;
}

interface EdgesTable {
  id: string;
  channel: ChannelName;
  release: number | null;
  canaries: Json<ReportedCanary[]>;
  seen_at: Date;
  /** Null from edges of 1.0.0, like the log position. */
  release_digest: string | null;
  log_epoch: number | null;
  log_sequence: number | null;
  log_hash: string | null;
  clock_skew_ms: number | null;
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
  /** Incremented by each restore and each confirmed loss of entries. */
  epoch: Generated<number>;
  unconfirmed: ColumnType<Unconfirmed | null, string | null | undefined, string | null>;
}

/** Why log and artifact store do not belong together, until `npx @site/cli recover` confirms it. */
export interface Unconfirmed {
  kind: 'lost' | 'copied';
  says: string;
  at: string;
  common: { sequence: number; hash: string };
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

interface AlertHooksTable {
  id: string;
  /** May contain a secret: never returned. */
  url: string;
  format: AlertFormat;
  kinds: Json<AlertKind[]>;
  /** Stored in plain text, because the registry signs with it. */
  secret: string;
  by: string;
  at: Date;
  dropped: Generated<number>;
  failures: Generated<number>;
  problem: string | null;
  next_at: Date;
}

interface AlertsTable {
  hook: string;
  sequence: Generated<number>;
  /** The same for all hooks and attempts, so that receivers can detect duplicates. */
  id: string;
  alert: Json<Alert>;
  at: Date;
}

type AlertTroublesTable = Omit<Trouble, 'since'> & { since: Date };

/** The last submission of each form that an alert covered, and its time. */
interface InboxAlertsTable {
  form: string;
  newest_at: Date;
  alerted_at: Date;
}

/** One row: the lease of the registry that monitors and sends alerts. */
interface AlertLeaseTable {
  id: number;
  holder: string;
  until: Date;
}

interface CachesTable {
  channel: ChannelName;
  name: string;
  failures: Generated<number>;
  problem: string | null;
  next_at: Date | null;
  leased_until: Date | null;
}

interface PurgesTable {
  channel: ChannelName;
  cache: string;
  sequence: Generated<number>;
  keys: Json<string[]>;
  at: Date;
  sent_at: Date | null;
  /** Sent while every edge served the state of the change. */
  confirmed_at: Date | null;
}

interface ConsoleSessionsTable {
  /** SHA-256, in hex, of the random id in the cookie. */
  hash: string;
  token_id: string;
  created_at: Date;
  expires_at: Date;
}

interface ConsoleLinksTable {
  hash: string;
  token_id: string;
  expires_at: Date;
  session_ends_at: Date;
}

type Computed = ColumnType<number, never, never>;

/** One row: the key that edges sign their tokens with. */
interface SignalKeyTable {
  id: number;
  key: string;
}

interface SignalSourcesTable {
  edge: string;
  boot: string;
  last_sequence: number;
  received_at: Date;
}

interface SignalSumsTable extends SignalPlace {
  channel: ChannelName;
  at: Date;
  sums: Json<SignalSums>;
}

interface SignalHoursTable extends SignalSumsTable {
  views: Computed;
  forms_sent: Computed;
  forms_failed: Computed;
  forms_refused: Computed;
}

interface ExperimentCountsTable {
  channel: ChannelName;
  app: string;
  route: string;
  /** See `experimentKey` and `variantKey`. */
  variants: string;
  choice: string;
  outcome: string;
  count: number;
  first_at: Date;
  last_at: Date;
}

interface FaultGroupsTable {
  channel: ChannelName;
  app: string;
  version: string;
  fingerprint: string;
  fault: Json<Pick<FaultSum, 'kind' | 'message' | 'file' | 'line' | 'column'>>;
  /** Only the first few. */
  routes: Json<string[]>;
  count: number;
  /** Browser → count. */
  browsers: Json<FaultSum['browsers']>;
  first_at: Date;
  last_at: Date;
}

interface JudgementsTable {
  channel: ChannelName;
  /** The canary, or the release that made the version live. */
  subject: number;
  app: string;
  version: string;
  control: string | null;
  state: Json<JudgementState>;
  verdict: Json<Verdict>;
  since: Date;
  ended_at: Date | null;
}

interface GuardPoliciesTable {
  channel: ChannelName;
  app: string;
  mode: Policy;
  reason: string;
  by: string;
  at: Date;
}

interface GuardActionsTable {
  channel: ChannelName;
  subject: number;
  app: string;
  version: string;
  did: 'acted' | 'suggested' | 'refused';
  why: string;
  evidence: string;
  at: Date;
}

interface VersionStandingsTable {
  channel: ChannelName;
  app: string;
  version: string;
  views: number;
  evidence: string;
  at: Date;
}

/** The stages of a running canary. */
interface CanaryStagesTable {
  channel: ChannelName;
  canary: number;
  shares: Json<number[]>;
  every_ms: number;
  basis_points: number;
  since: Date;
  views: number;
  visitors: string;
  says: string;
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
  digest: string;
  expires_at: Date;
}

interface PreviewsTable {
  id: string;
  channel: ChannelName;
  app: string;
  version: string | null;
  dev: string | null;
  by: string;
  /** The API token that created it: the preview ends with it. */
  token_id: string;
  created_at: Date;
  expires_at: Date;
  ended_at: Date | null;
  ended_because: string | null;
  /** SHA-256, in hex, of the link's random id. Edges query by this hash only. */
  secret_hash: string;
}

interface ChangesUnderWayTable {
  id: string;
  what: string;
  /** They expire, so a killed registry does not block collections forever. */
  expires_at: Date;
}

/** Blobs that a publishing client will not upload, because they were reported as present. */
interface WantedBlobsTable {
  integrity: string;
  wanted_at: Date;
}

interface DoomedBlobsTable {
  integrity: string;
  doomed_at: Date;
}

interface DamagedBlobsTable {
  integrity: string;
  found_at: Date;
}

/** One row: the last written anchor of the audit log, so that its deletion is detected. */
interface AuditAnchoredTable {
  id: number;
  epoch: number;
  sequence: number;
}
