import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { RegistryDb } from '../kernel/tables.ts';

/** One opaque text per part of the console's views, which changes with the part. */
export interface EtagTexts {
  log: string;
  edges: string;
  guard: string;
  signals: string;
  troubles: string;
}

export async function readEtags(db: RegistryDb, channel: ChannelName, silentSince: Date): Promise<EtagTexts> {
  const { rows } = await sql<EtagTexts>`
    select
      (select sequence::text from registry.audit_head) as log,
      (select md5(coalesce(string_agg(
          concat_ws(
            ' ', id, coalesce(release, 0), canaries, seen_at <= ${silentSince}
          ),
          ',' order by id), ''))
        from registry.edges where channel = ${channel}) as edges,
      md5(concat_ws(';',
        (select string_agg(concat_ws(' ', subject, app, version, verdict ->> 'is', since), ',' order by subject, app)
          from registry.judgements where channel = ${channel} and ended_at is null),
        (select concat_ws(' ', count(*), max(at)) from registry.guard_actions where channel = ${channel}),
        (select string_agg(concat_ws(' ', canary, basis_points, since), ',' order by canary)
          from registry.canary_stages where channel = ${channel})
      )) as guard,
      (select coalesce(max(received_at)::text, '') from registry.signal_sources) as signals,
      md5(concat_ws(';',
        (select string_agg(concat_ws(' ', kind, subject, since), ',' order by kind, subject)
          from registry.alert_troubles),
        (select count(*) from registry.alert_hooks where failures > 0)
      )) as troubles`.execute(db);
  return rows[0] as EtagTexts;
}
