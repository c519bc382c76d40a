import { sql, type Kysely } from 'kysely';

/** The schema as of version 1.0.0. The tables' rows are described in `../tables.ts`. */
export async function createRegistry(db: Kysely<unknown>): Promise<void> {
  for (const statement of [...versions, ...releases, ...access, ...upkeep, ...signals, ...guard, ...alerts]) {
    await sql.raw(statement).execute(db);
  }
  for (const table of ['releases', 'release_apps', 'app_changes', 'revocations', 'audit_events']) {
    await sql`
      create trigger append_only before update or delete or truncate on ${sql.table(`registry.${table}`)}
      for each statement execute function registry.refuse_rewriting()`.execute(db);
  }
}

const versions = [
  `create table registry.apps (
    app text primary key,
    owner text not null,
    paths jsonb not null,
    by text not null,
    at timestamptz not null
  )`,
  // The commit is a column because an index over the manifest would decompress it at every update of a version.
  `create table registry.versions (
    app text not null,
    version text not null,
    sequence integer generated always as identity not null unique,
    manifest jsonb not null,
    manifest_bytes integer not null generated always as (octet_length(manifest::text)) stored,
    commit text generated always as (manifest ->> 'commit') stored,
    content_digest text not null,
    bytes bigint not null default 0,
    pack text,
    source_maps text,
    declared_forms jsonb,
    published_by text not null,
    published_at timestamptz not null,
    provenance jsonb,
    collected_at timestamptz,
    constraint versions_pk primary key (app, version)
  )`,
  `create index versions_by_recency on registry.versions (app, (collected_at is not null), sequence desc)`,
  `create index versions_by_commit on registry.versions (commit text_pattern_ops)`,
  `create table registry.app_usage (
    app text primary key,
    versions integer not null,
    bytes bigint not null
  )`,
  // Once per statement: per row, a collection of 2,500 versions would update the same rows repeatedly.
  `create function registry.count_usage() returns trigger language plpgsql as $$
    begin
      insert into registry.app_usage (app, versions, bytes)
      select app, count(*), sum(bytes) from new_rows where collected_at is null group by app
      on conflict (app) do update set
        versions = app_usage.versions + excluded.versions, bytes = app_usage.bytes + excluded.bytes;
      return null;
    end $$`,
  `create function registry.count_changed_usage() returns trigger language plpgsql as $$
    begin
      insert into registry.app_usage (app, versions, bytes)
      select app, sum(counted.versions), sum(counted.bytes) from (
        select app, -1 as versions, -bytes as bytes from old_rows where collected_at is null
        union all
        select app, 1, bytes from new_rows where collected_at is null
      ) as counted
      group by app having sum(counted.versions) <> 0 or sum(counted.bytes) <> 0
      on conflict (app) do update set
        versions = app_usage.versions + excluded.versions, bytes = app_usage.bytes + excluded.bytes;
      return null;
    end $$`,
  `create trigger count_usage after insert on registry.versions
    referencing new table as new_rows
    for each statement execute function registry.count_usage()`,
  `create trigger count_changed_usage after update on registry.versions
    referencing old table as old_rows new table as new_rows
    for each statement execute function registry.count_changed_usage()`,
  `create table registry.quarantines (
    app text not null,
    version text not null,
    reason text not null,
    by text not null,
    at timestamptz not null,
    constraint quarantines_pk primary key (app, version),
    constraint quarantines_version_fk foreign key (app, version) references registry.versions
  )`,
  `create table registry.assets (
    app text not null,
    path text not null,
    integrity text not null,
    size integer not null,
    constraint assets_pk primary key (app, path)
  )`,
  `create table registry.rendered_pages (
    shell_version text not null,
    app text not null,
    app_version text not null,
    config_digest text not null,
    path text not null,
    variant_key text not null,
    integrity text not null,
    rendered_at timestamptz not null,
    pack text,
    weight jsonb,
    constraint rendered_pages_pk primary key (shell_version, app, app_version, config_digest, path, variant_key)
  )`,
  `create index rendered_pages_by_version on registry.rendered_pages (app, app_version)`,
];

const releases = [
  // The history is append-only, so even a wrong query cannot rewrite it.
  `create function registry.refuse_rewriting() returns trigger language plpgsql as $$
    begin
      raise exception 'registry.% is append-only: % is refused', tg_table_name, tg_op;
    end $$`,
  `create table registry.releases (
    number integer primary key,
    channel text not null,
    kind text not null,
    as_canary boolean not null,
    left_out jsonb not null,
    retired jsonb not null,
    config jsonb not null,
    config_digest text not null,
    by text not null,
    reason text not null,
    at timestamptz not null,
    parent integer references registry.releases
  )`,
  `create index releases_by_channel on registry.releases (channel, number)`,
  // Not a sequence, which a rollback leaves advanced and a crash of the database advances by up to 32.
  `create table registry.release_head (
    id integer primary key check (id = 1),
    number integer not null
  )`,
  `insert into registry.release_head (id, number) values (1, 0)`,
  `create table registry.channels (
    name text primary key,
    live integer references registry.releases,
    canary integer references registry.releases,
    canary_basis_points integer,
    canary_first integer references registry.releases,
    constraint channels_canary check ((canary is null) = (canary_basis_points is null)),
    constraint channels_canary_first check ((canary is null) = (canary_first is null)),
    constraint channels_share check (canary_basis_points between 0 and 10000)
  )`,
  `insert into registry.channels (name) values ('production'), ('staging')`,
  `create table registry.release_apps (
    release integer not null references registry.releases,
    channel text not null,
    app text not null,
    version text not null,
    last_good text,
    constraint release_apps_pk primary key (release, app),
    constraint release_apps_version_fk foreign key (app, version) references registry.versions,
    constraint release_apps_last_good_fk foreign key (app, last_good) references registry.versions
  )`,
  `create index release_apps_by_version on registry.release_apps (channel, app, version, release)`,
  `create table registry.app_changes (
    channel text not null references registry.channels,
    app text not null,
    release integer not null references registry.releases,
    constraint app_changes_pk primary key (channel, app, release)
  )`,
  `create index app_changes_by_release on registry.app_changes (release)`,
  `create table registry.live_versions (
    app text not null,
    version text not null,
    channel text not null references registry.channels,
    since integer not null references registry.releases,
    found_bad boolean not null default false,
    constraint live_versions_pk primary key (app, version, channel),
    constraint live_versions_version_fk foreign key (app, version) references registry.versions
  )`,
  `create index live_versions_by_recency on registry.live_versions (channel, app, since)`,
  `create table registry.revocations (
    release integer primary key references registry.releases,
    channel text not null,
    reason text not null,
    by text not null,
    at timestamptz not null
  )`,
  `create index revocations_by_channel on registry.revocations (channel, release)`,
  `create table registry.freezes (
    channel text not null references registry.channels,
    app text not null,
    reason text not null,
    by text not null,
    at timestamptz not null,
    constraint freezes_pk primary key (channel, app)
  )`,
  `create table registry.edges (
    id text primary key,
    channel text not null,
    release integer,
    canary integer,
    canary_basis_points integer,
    seen_at timestamptz not null
  )`,
  `create table registry.previews (
    id text primary key,
    channel text not null,
    app text not null,
    version text,
    dev text,
    by text not null,
    token_id text not null,
    created_at timestamptz not null,
    expires_at timestamptz not null,
    ended_at timestamptz,
    ended_because text,
    secret_hash text not null unique,
    constraint previews_version_fk foreign key (app, version) references registry.versions
  )`,
];

const access = [
  `create table registry.tokens (
    id text primary key,
    name text not null,
    hash text not null unique,
    scopes jsonb not null,
    created_at timestamptz not null,
    expires_at timestamptz,
    revoked_at timestamptz,
    trusts jsonb,
    provenance jsonb
  )`,
  `create table registry.trusts (
    id text primary key,
    app text not null,
    issuer text not null,
    subject text not null,
    audience text not null,
    claims jsonb not null,
    activate boolean not null,
    by text not null,
    at timestamptz not null,
    used_at timestamptz
  )`,
  `create table registry.used_id_tokens (
    digest text primary key,
    expires_at timestamptz not null
  )`,
  `create index used_id_tokens_by_age on registry.used_id_tokens (expires_at)`,
  `create table registry.console_sessions (
    hash text primary key,
    token_id text not null references registry.tokens on delete cascade,
    created_at timestamptz not null,
    expires_at timestamptz not null
  )`,
  `create index console_sessions_by_token on registry.console_sessions (token_id, created_at)`,
  `create table registry.console_links (
    hash text primary key,
    token_id text not null references registry.tokens on delete cascade,
    expires_at timestamptz not null,
    session_ends_at timestamptz not null
  )`,
  `create table registry.idempotency_keys (
    token_id text not null,
    key text not null,
    request_digest text not null,
    status integer not null,
    response jsonb not null,
    created_at timestamptz not null,
    constraint idempotency_keys_pk primary key (token_id, key)
  )`,
  `create index idempotency_keys_by_age on registry.idempotency_keys (created_at)`,
];

const upkeep = [
  `create table registry.audit_events (
    sequence integer primary key,
    at timestamptz not null,
    by text not null,
    action text not null,
    subject text not null,
    details jsonb not null,
    previous_hash text not null,
    hash text not null
  )`,
  `create table registry.audit_head (
    id integer primary key check (id = 1),
    sequence integer not null,
    hash text not null
  )`,
  `insert into registry.audit_head (id, sequence, hash) values (1, 0, repeat('0', 64))`,
  `create table registry.audit_anchored (
    id integer primary key check (id = 1),
    epoch integer not null,
    sequence integer not null
  )`,
  `create table registry.changes_under_way (
    id text primary key,
    what text not null,
    expires_at timestamptz not null
  )`,
  `create table registry.wanted_blobs (
    integrity text primary key,
    wanted_at timestamptz not null
  )`,
  `create table registry.doomed_blobs (
    integrity text primary key,
    doomed_at timestamptz not null
  )`,
  `create table registry.damaged_blobs (
    integrity text primary key,
    found_at timestamptz not null
  )`,
];

const sums = (name: string, { columns = '', included = '' } = {}) => [
  `create table registry.${name} (
    channel text not null,
    app text not null,
    version text not null,
    route text not null,
    role text not null,
    at timestamptz not null,
    sums jsonb not null,
    ${columns}
    constraint ${name}_pk primary key (channel, app, version, route, role, at) ${included}
  )`,
  `create index ${name}_by_age on registry.${name} (at)`,
];

const signals = [
  `create table registry.signal_key (
    id integer primary key check (id = 1),
    key text not null
  )`,
  `create table registry.signal_sources (
    edge text not null,
    boot text not null,
    last_sequence integer not null,
    received_at timestamptz not null,
    constraint signal_sources_pk primary key (edge, boot)
  )`,
  ...sums('signal_minutes'),
  ...sums('signal_pulses'),
  ...sums('signal_hours', {
    columns: `
    views integer not null generated always as ((sums #>> '{first,views}')::integer) stored,
    forms_sent integer not null generated always as ((sums ->> 'formsSent')::integer) stored,
    forms_failed integer not null generated always as ((sums ->> 'formsFailed')::integer) stored,
    forms_refused integer not null generated always as (coalesce((sums ->> 'formsRefused')::integer, 0)) stored,`,
    included: 'include (views, forms_sent, forms_failed, forms_refused)',
  }),
  // Partial indexes: few of the many rows contain forms.
  `create index signal_hours_with_forms on registry.signal_hours (channel, at, app, version, route, role)
    where forms_sent + forms_failed + forms_refused > 0`,
  `create index signal_minutes_with_forms on registry.signal_minutes (channel, app, version, route, role, at)
    where ((sums ->> 'formsSent')::integer + (sums ->> 'formsFailed')::integer) > 0`,
  `create table registry.fault_groups (
    channel text not null,
    app text not null,
    version text not null,
    fingerprint text not null,
    fault jsonb not null,
    routes jsonb not null,
    count integer not null,
    browsers jsonb not null,
    first_at timestamptz not null,
    last_at timestamptz not null,
    constraint fault_groups_pk primary key (channel, app, version, fingerprint)
  )`,
  `create index fault_groups_by_age on registry.fault_groups (last_at)`,
  `create index fault_groups_by_first on registry.fault_groups (channel, app, fingerprint, first_at, version)`,
];

const guard = [
  `create table registry.judgements (
    channel text not null,
    subject integer not null references registry.releases,
    app text not null,
    version text not null,
    control text,
    state jsonb not null,
    verdict jsonb not null,
    since timestamptz not null,
    ended_at timestamptz,
    constraint judgements_pk primary key (channel, subject, app)
  )`,
  `create index judgements_open on registry.judgements (channel) where ended_at is null`,
  `create table registry.guard_policies (
    channel text not null,
    app text not null,
    mode text not null,
    reason text not null,
    by text not null,
    at timestamptz not null,
    constraint guard_policies_pk primary key (channel, app)
  )`,
  // The key makes each action unique across crashes and concurrent guards.
  `create table registry.guard_actions (
    channel text not null,
    subject integer not null,
    app text not null,
    version text not null,
    did text not null,
    why text not null,
    evidence text not null,
    at timestamptz not null,
    constraint guard_actions_pk primary key (channel, subject, app, did)
  )`,
  `create table registry.version_standings (
    channel text not null,
    app text not null,
    version text not null,
    views integer not null,
    evidence text not null,
    at timestamptz not null,
    constraint version_standings_pk primary key (channel, app, version)
  )`,
  `create table registry.canary_stages (
    channel text primary key,
    canary integer not null,
    shares jsonb not null,
    every_ms integer not null,
    basis_points integer not null,
    since timestamptz not null,
    views integer not null,
    visitors text not null,
    says text not null
  )`,
];

const alerts = [
  `create table registry.alert_hooks (
    id text primary key,
    url text not null,
    format text not null,
    kinds jsonb not null,
    secret text not null,
    by text not null,
    at timestamptz not null,
    dropped integer not null default 0,
    failures integer not null default 0,
    problem text,
    next_at timestamptz not null
  )`,
  `create table registry.alerts (
    hook text not null references registry.alert_hooks on delete cascade,
    sequence integer generated always as identity not null,
    id text not null,
    alert jsonb not null,
    at timestamptz not null,
    constraint alerts_pk primary key (hook, sequence)
  )`,
  `create table registry.alert_troubles (
    kind text not null,
    subject text not null,
    channel text,
    says text not null,
    since timestamptz not null,
    constraint alert_troubles_pk primary key (kind, subject)
  )`,
  `create table registry.alert_lease (
    id integer primary key check (id = 1),
    holder text not null,
    until timestamptz not null
  )`,
  `create table registry.inbox_alerts (
    form text primary key,
    newest_at timestamptz not null,
    alerted_at timestamptz not null
  )`,
];
