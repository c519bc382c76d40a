import { allowLongStatements } from '@site/server/postgres-client';
import { sql, type Kysely } from 'kysely';
import { computeIntegrity } from '@site/contract/integrity';
import type { RegistryTables } from '@site/registry/kernel/tables';
import { digest } from '@site/registry/kernel/canonical-json';
import { siteConfig, type Harness } from '@site/registry/testing/harness';
import { manifestBytes, remoteManifest, shellManifest } from '@site/registry/testing/manifests';

/** The history of a registry: each release changes the version of the next app. */
export interface History {
  releases: number;
  remotes: number;
  versionsOfEach: number;
}

const RENDERED = Buffer.from(JSON.stringify({ head: '<title>grown</title>', html: '<h1>grown</h1>' }));

export const grownApp = (index: number) => `mfe-grown-${index}`;
const grownVersion = (index: number, version: number) =>
  `1.0.0-${(index * 1000 + version + 1).toString(16).padStart(12, '0')}`;

/** Creates the first release by the API, and the rest by SQL, which takes only seconds. */
export async function fillHistory(harness: Harness, history: History): Promise<void> {
  const { remotes } = history;
  const shell = shellManifest();
  const template = remoteManifest('mfe-template');
  await harness.publish(shell);
  for (const bytes of [RENDERED, ...manifestBytes(template)])
    await harness.store.put(computeIntegrity(bytes), bytes);
  const db = harness.database.schema<RegistryTables>('registry');
  await db.transaction().execute(async (transaction) => {
    await allowLongStatements(transaction);
    await addVersions(transaction, history, JSON.stringify(template));
  });
  const apps: Record<string, string> = { shell: shell.version };
  for (let index = 0; index < remotes; index += 1) apps[grownApp(index)] = grownVersion(index, 0);
  const { status, body } = await harness.activate(apps, { config: siteConfig });
  if (status !== 201) throw new Error(`The first release: ${JSON.stringify(body)}`);
  await db.transaction().execute(async (transaction) => {
    await allowLongStatements(transaction);
    // Skips triggers and foreign keys: the rows are consistent, and there are millions of them.
    await sql`set local session_replication_role = replica`.execute(transaction);
    await addReleases(transaction, history);
    await deriveHistory(transaction);
    await sql`analyze`.execute(transaction);
  });
}

async function addVersions(
  db: Kysely<RegistryTables>,
  { remotes, versionsOfEach }: History,
  template: string,
): Promise<void> {
  await sql`
    insert into registry.versions (app, version, manifest, content_digest, published_by, published_at)
    select app, version,
      ${template}::jsonb || jsonb_build_object('app', app, 'version', version, 'pages', jsonb_build_array(
        ${template}::jsonb->'pages'->0 || jsonb_build_object('path', '/grown-' || remote))),
      md5(app || version), 'a benchmark', now()
    from generate_series(0, ${versionsOfEach - 1}::integer) as number
    cross join generate_series(0, ${remotes - 1}::integer) as remote
    cross join lateral (
      select 'mfe-grown-' || remote as app, '1.0.0-' || lpad(to_hex(remote * 1000 + number + 1), 12, '0') as version
    ) as named`.execute(db);
  await sql`
    insert into registry.rendered_pages
      (shell_version, app, app_version, config_digest, path, variant_key, integrity, rendered_at)
    select ${shellManifest().version}, app, version, ${digest(siteConfig)}, manifest->'pages'->0->>'path', '',
      ${computeIntegrity(RENDERED)}, now()
    from registry.versions where app <> 'shell'`.execute(db);
}

async function addReleases(
  db: Kysely<RegistryTables>,
  { releases, remotes, versionsOfEach }: History,
): Promise<void> {
  await sql`
    insert into registry.releases (number, channel, kind, as_canary, left_out, retired, config, config_digest, by, reason, at, parent)
    select next, 'production', 'activate', false, '{}', '{}', config, config_digest, 'a benchmark', 'release ' || next,
      now(), next - 1
    from registry.releases as first cross join generate_series(2, ${releases}::integer) as next
    where first.number = 1`.execute(db);
  await sql`drop index registry.release_apps_by_version`.execute(db);
  await sql`alter table registry.release_apps drop constraint release_apps_pk`.execute(db);
  // The n-th release updates app n mod ${remotes} to its next version.
  await sql`
    insert into registry.release_apps (release, channel, app, version, last_good)
    select number, 'production', 'mfe-grown-' || remote,
      '1.0.0-' || lpad(to_hex(remote * 1000 + steps % ${versionsOfEach}::integer + 1), 12, '0'),
      case when steps > 0 then
        '1.0.0-' || lpad(to_hex(remote * 1000 + (steps - 1) % ${versionsOfEach}::integer + 1), 12, '0') end
    from generate_series(2, ${releases}::integer) as number
    cross join generate_series(0, ${remotes - 1}::integer) as remote
    cross join lateral (
      select (number - (case when remote < 2 then remote + ${remotes}::integer else remote end)
        + ${remotes}::integer) / ${remotes}::integer as steps
    ) as moved
    union all
    select number, 'production', 'shell', ${shellManifest().version}, null
    from generate_series(2, ${releases}::integer) as number`.execute(db);
  await sql`alter table registry.release_apps add constraint release_apps_pk primary key (release, app)`.execute(
    db,
  );
  await sql`
    create index release_apps_by_version on registry.release_apps (channel, app, version, release)`.execute(
    db,
  );
  await sql`
    insert into registry.revocations (release, channel, reason, by, at)
    select number, channel, 'a benchmark', by, at from registry.releases where number % 10 = 0 and number < ${releases}
  `.execute(db);
  await sql`
    insert into registry.audit_events (sequence, at, by, action, subject, details, previous_hash, hash)
    select ${releases}::integer + number, at, by, 'release.activate', 'r' || number, jsonb_build_object('channel', channel, 'changes', '[]'::jsonb),
      md5(number::text), md5(number::text)
    from registry.releases where number > 1`.execute(db);
  await sql`update registry.audit_head set sequence = 2 * ${releases}::integer`.execute(db);
  await sql`update registry.channels set live = ${releases}::integer where name = 'production'`.execute(db);
  await sql`update registry.release_head set number = ${releases}::integer`.execute(db);
}

/** The tables that the registry derives from its releases. */
async function deriveHistory(db: Kysely<RegistryTables>): Promise<void> {
  await sql`truncate registry.live_versions, registry.app_changes`.execute(db);
  await sql`
    insert into registry.app_changes (channel, app, release)
    select now.channel, now.app, now.release
    from registry.release_apps as now
    join registry.releases on releases.number = now.release
    left join registry.release_apps as before on before.release = releases.parent and before.app = now.app
    where before.version is distinct from now.version`.execute(db);
  await sql`
    insert into registry.live_versions (app, version, channel, since)
    select app, version, channel, max(release) from registry.release_apps group by app, version, channel`.execute(
    db,
  );
}
