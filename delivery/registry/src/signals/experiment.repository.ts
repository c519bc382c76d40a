import { sql } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { Cell, ExperimentSum } from '@site/contract/signals/sums.schema';
import type { RegistryDb, RegistryTransaction } from '../kernel/tables.ts';

export interface ExperimentRow extends ExperimentSum {
  app: string;
  route: string;
  since: Date;
  last: Date;
}

export async function addToExperiments(
  transaction: RegistryTransaction,
  channel: ChannelName,
  cells: readonly Cell[],
  at: Date,
): Promise<void> {
  const added = cells.flatMap(({ app, route, experiments = [] }) =>
    experiments.flatMap(({ variants, choice, views, reached }) =>
      Object.entries({ '': views, ...reached }).map(([outcome, count]) => {
        return { app, route, variants, choice, outcome, count };
      }),
    ),
  );
  if (added.length === 0) return;
  // Grouped, because a batch may have a cell for each version, role and engine.
  await sql`
    insert into registry.experiment_counts
      (channel, app, route, variants, choice, outcome, count, first_at, last_at)
    select ${channel}, app, route, variants, choice, outcome, sum(count), ${at}, ${at}
    from jsonb_to_recordset(${JSON.stringify(added)}::jsonb)
      as added (app text, route text, variants text, choice text, outcome text, count bigint)
    group by app, route, variants, choice, outcome
    on conflict (channel, app, route, variants, choice, outcome) do update set
      count = experiment_counts.count + excluded.count, last_at = excluded.last_at`.execute(transaction);
}

export async function readExperimentCounts(
  db: RegistryDb,
  channel: ChannelName,
  app: string | undefined,
): Promise<ExperimentRow[]> {
  const rows = await db
    .selectFrom('experiment_counts')
    .selectAll()
    .where('channel', '=', channel)
    .$if(app !== undefined, (query) => query.where('app', '=', app ?? ''))
    .orderBy('outcome')
    .execute();
  const choices = new Map<string, ExperimentRow>();
  for (const { outcome, count, first_at: since, last_at: last, channel: _, ...place } of rows) {
    const key = JSON.stringify(place);
    const row = choices.get(key) ?? { ...place, views: 0, reached: {}, since, last };
    if (outcome === '') Object.assign(row, { views: count, since, last });
    else row.reached[outcome] = count;
    choices.set(key, row);
  }
  return [...choices.values()];
}

export async function forgetExperiments(db: RegistryDb, before: Date): Promise<void> {
  await db
    .deleteFrom('experiment_counts as old')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('experiment_counts as newer')
            .select('newer.app')
            .whereRef('newer.channel', '=', 'old.channel')
            .whereRef('newer.app', '=', 'old.app')
            .whereRef('newer.route', '=', 'old.route')
            .whereRef('newer.variants', '=', 'old.variants')
            .where('newer.last_at', '>=', before),
        ),
      ),
    )
    .execute();
}
