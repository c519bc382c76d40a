import { sql, type Kysely } from 'kysely';

export async function addClocks(db: Kysely<unknown>): Promise<void> {
  await sql`alter table registry.edges add column clock_skew_ms bigint`.execute(db);
  for (const [old, added] of [
    ['edge', 'clock'],
    ['acted', 'rollback'],
  ])
    await sql`
      update registry.alert_hooks set kinds = kinds || ${JSON.stringify([added])}::jsonb
      where kinds @> ${JSON.stringify([old])}::jsonb`.execute(db);
}
