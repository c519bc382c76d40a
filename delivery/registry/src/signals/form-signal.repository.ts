import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { SignalPlace } from './signal-sums.ts';
import type { SignalsWanted } from './signal-series.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export interface FormSums extends SignalPlace {
  views: number;
  sent: number;
  refused: number;
  failed: number;
  lastSent: Date | null;
}

/**
 * Form health for each page with a submission or a failed one. A form without recent reports is listed for each live or
 * canary version that may have it, and for the last version with a submission. A version has a page's form if it
 * reports or declares one there, or sends something that the page's last reporting version sent; versions without
 * declarations may send anything. Partial indexes contain only the hours with forms.
 */
export async function readForms(
  db: RegistryDb,
  channel: ChannelName,
  { app, from }: Pick<SignalsWanted, 'app' | 'from'>,
): Promise<FormSums[]> {
  const { rows } = await sql<FormSums>`
    with reported as (
      select app, version, route, role, max(at) as at from registry.signal_hours
      where channel = ${channel} and forms_sent + forms_failed + forms_refused > 0 and app <> 'shell'
        and ${app === undefined ? sql`true` : sql`app = ${app}`}
      group by app, version, route, role
    ), arrived as (
      select reported.*, (
        select max(hours.at) from registry.signal_hours as hours
        where hours.channel = ${channel} and hours.app = reported.app and hours.version = reported.version
          and hours.route = reported.route and hours.role = reported.role and forms_sent > 0
      ) as hour
      from reported
    ), shown as (
      select live.app, live.version, 'live' as role
      from registry.channels join registry.release_apps as live on live.release = channels.live
      where channels.name = ${channel}
      union all
      select app, version, 'canary'
      from registry.canaries join registry.release_apps using (release, app)
      where canaries.channel = ${channel} and ended_at is null
    ), forms as (
      select app, route from reported
      union
      select app, split_part(declared ->> 'place', '#', 1)
      from shown join registry.versions using (app, version)
      cross join jsonb_array_elements(declared_forms) as declared
      where ${app === undefined ? sql`true` : sql`app = ${app}`}
    ), latest_versions as (
      select distinct on (app, route) app, route, version from reported order by app, route, at desc, version
    ), compared as (
      select app, version from shown where app in (select app from forms)
      union
      select app, version from latest_versions
    ), sends as (
      select app, version, null as route, sent as form
      from compared join registry.versions using (app, version)
      cross join jsonb_object_keys(manifest -> 'forms') as sent
      union all
      select app, version, split_part(declared ->> 'place', '#', 1), declared ->> 'id'
      from compared join registry.versions using (app, version)
      cross join jsonb_array_elements(declared_forms) as declared
    ), expected as (
      select shown.app, shown.version, forms.route, shown.role
      from shown join forms using (app) join registry.versions using (app, version)
      where exists (
        select from jsonb_array_elements(versions.manifest -> 'pages') as page where page ->> 'path' = forms.route
      ) and (
        exists (select from reported where (app, version, route) = (shown.app, shown.version, forms.route))
        or exists (select from sends where (app, version, route) = (shown.app, shown.version, forms.route))
        or exists (
          select from latest_versions as latest
          where latest.app = forms.app and latest.route = forms.route and (
            not exists (
              select from sends where sends.app = latest.app and sends.version = latest.version
                and coalesce(sends.route, latest.route) = latest.route
            )
            or exists (
              select from sends as own join sends as same using (app, form)
              where app = latest.app and own.version = shown.version and same.version = latest.version
                and coalesce(own.route, latest.route) = latest.route
                and coalesce(same.route, latest.route) = latest.route
            )
          )
        )
      )
    ), places as (
      select app, version, route, role from reported where at >= ${from}
      union
      select * from expected
      union
      (
        select distinct on (app, route) app, version, route, role
        from arrived where hour is not null and (app, route) in (select app, route from expected)
        order by app, route, hour desc
      )
    )
    select places.*, counted.*, coalesce(recent.at, arrived.hour) as "lastSent"
    from places
    left join arrived using (app, version, route, role)
    cross join lateral (
      select coalesce(sum(hours.views), 0)::float8 as views, coalesce(sum(forms_sent), 0)::float8 as sent,
        coalesce(sum(forms_failed), 0)::float8 as failed, coalesce(sum(forms_refused), 0)::float8 as refused
      from registry.signal_hours as hours
      where hours.channel = ${channel} and hours.app = places.app and hours.version = places.version
        and hours.route = places.route and hours.role = places.role and hours.at >= ${from}
    ) as counted
    left join lateral (
      select max(at) as at from registry.signal_minutes as minutes
      where minutes.channel = ${channel} and minutes.app = places.app and minutes.version = places.version
        and minutes.route = places.route and minutes.role = places.role and minutes.at >= arrived.hour
        and ((sums ->> 'formsSent')::integer + (sums ->> 'formsFailed')::integer) > 0
        and (sums ->> 'formsSent')::integer > 0
    ) as recent on true
    order by app, route, "lastSent" desc nulls last, version, role`.execute(db);
  return rows;
}
