import { sql, type Kysely } from 'kysely';

export async function addLogEpochs(db: Kysely<unknown>): Promise<void> {
  await sql`
    alter table registry.audit_head
      add column epoch integer not null default 0,
      add column unconfirmed jsonb`.execute(db);
  await sql`
    update registry.audit_head
    set epoch = coalesce((select epoch from registry.audit_anchored where id = 1), 0)`.execute(db);
  await sql`
    alter table registry.edges
      add column release_digest text,
      add column canary_digest text,
      add column log_epoch integer,
      add column log_sequence integer,
      add column log_hash text`.execute(db);
}
