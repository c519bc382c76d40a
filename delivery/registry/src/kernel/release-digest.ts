import { sql, type RawBuilder } from 'kysely';

/**
 * Hash of the release with this number. Computed from columns, so that it is the same in each version of the registry.
 */
export const releaseDigest = (number: RawBuilder<unknown>) => sql<string | null>`(
  select encode(sha256(convert_to(concat_ws(' ', number, channel, parent, config_digest, by,
    (extract(epoch from at) * 1000)::bigint,
    (select string_agg(app || '@' || version, ' ' order by app collate "C")
      from registry.release_apps where release = number)
  ), 'UTF8')), 'hex') from registry.releases where number = ${number})`;
