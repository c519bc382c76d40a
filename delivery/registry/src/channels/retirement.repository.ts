import { sql, type RawBuilder } from 'kysely';
import type { Retirement } from '@site/contract';
import { rowsOf } from '../kernel/rows-of.ts';
import type { RegistryDb } from '../kernel/tables.ts';

/** A release's changes to retirements, as a query column. `former`, its parent, may be missing. */
export const retirementsOf = (made: string, former: string): RawBuilder<Retirement[]> => sql`(
  select coalesce(jsonb_agg(
    jsonb_build_object('app', app, 'is', case when now.value is null then 'back' else 'retired' end, 'to', now.value -> 'to')
    order by app), '[]')
  from jsonb_each(${sql.ref(made)}.retired) as now (app, value)
  full join jsonb_each(coalesce(${sql.ref(former)}.retired, '{}')) as was (app, value) using (app)
  where now.value is distinct from was.value
)`;

export async function listRetirements(
  db: RegistryDb,
  releases: readonly number[],
): Promise<Map<number, Retirement[]>> {
  const { rows } = await sql<{ number: number; retirements: Retirement[] }>`
    select made.number, ${retirementsOf('made', 'former')} as retirements
    from registry.releases as made
    left join registry.releases as former on former.number = made.parent
    where made.number in (select value::integer from ${rowsOf(releases)})`.execute(db);
  return new Map(rows.map(({ number, retirements }) => [number, retirements]));
}
