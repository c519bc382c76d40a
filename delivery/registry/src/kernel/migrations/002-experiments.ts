import { sql, type Kysely } from 'kysely';

export async function addExperiments(db: Kysely<unknown>): Promise<void> {
  await sql`
    create table registry.experiment_counts (
      channel text not null,
      app text not null,
      route text not null,
      variants text not null,
      choice text not null,
      outcome text not null,
      count bigint not null,
      first_at timestamptz not null,
      last_at timestamptz not null,
      constraint experiment_counts_pk primary key (channel, app, route, variants, choice, outcome)
    )`.execute(db);
}
