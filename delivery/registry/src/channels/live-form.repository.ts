import { sql } from 'kysely';
import type { ChannelName, FormDeclaration } from '@site/contract';
import type { RegistryDb } from '../kernel/tables.ts';

export interface FormsOfVersion {
  app: string;
  version: string;
  ended: Date | null;
  forms: FormDeclaration[];
}

/** Maximum number of declarations per app; the forms service tries no more. */
const MOST_OF_ONE_APP = 10;

/**
 * The last published version first. A canary's version ends with the canary. Versions with equal
 * declarations are listed once, under the newest version's name. Above the limit, the earliest ended ones are omitted.
 * A version is read once, however often it was activated.
 */
export async function findLiveForms(
  db: RegistryDb,
  channel: ChannelName,
  since: Date,
): Promise<FormsOfVersion[]> {
  const { rows } = await sql<FormsOfVersion>`
    with first as (
      select coalesce((
        select number from registry.releases
        where channel = ${channel} and not as_canary and at < ${since} order by number desc limit 1
      ), 0) as number
    ), changes as (
      select app_changes.app, releases.parent, releases.at
      from first
      join registry.app_changes on app_changes.channel = ${channel} and app_changes.release > first.number
      join registry.releases on releases.number = app_changes.release and not releases.as_canary
    ), shown as (
      select release_apps.app, release_apps.version, null::timestamptz as ended
      from registry.channels
      join registry.release_apps on release_apps.release = channels.live
      where channels.name = ${channel}
      union all
      select before.app, before.version, changes.at
      from changes join registry.release_apps as before
        on before.release = changes.parent and before.app = changes.app
      union all
      select brought.app, brought.version, canaries.ended_at
      from registry.canaries join registry.release_apps as brought using (release, app)
      where canaries.channel = ${channel} and (canaries.ended_at is null or canaries.ended_at >= ${since})
    ), once as (
      select app, version, max(coalesce(ended, 'infinity')) as ended from shown group by app, version
    ), declared as (
      select versions.app, (array_agg(versions.version order by versions.sequence desc))[1] as version,
        max(versions.sequence) as sequence, nullif(max(ended), 'infinity') as ended,
        versions.declared_forms as forms
      from once join registry.versions using (app, version)
      where versions.declared_forms is not null
      group by versions.app, versions.declared_forms
    ), ranked as (
      select *, row_number() over (partition by app order by ended desc nulls first, sequence desc) as place
      from declared where ended is null or ended >= ${since}
    )
    select app, version, ended, forms from ranked where place <= ${MOST_OF_ONE_APP} order by sequence desc
  `.execute(db);
  return rows;
}
