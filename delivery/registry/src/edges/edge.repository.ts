import type { Selectable } from 'kysely';
import type { ChannelName } from '@site/contract';
import type { RegistryDb, RegistryTables } from '../kernel/tables.ts';

export interface EdgeReport {
  id: string;
  channel: ChannelName;
  release: number | null;
  canary: { release: number; basisPoints: number } | null;
  seenAt: Date;
}

/**
 * Edges never expire, because an edge without connection may still serve its last release.
 * @returns whether it now serves something else.
 */
export async function upsertEdge(
  db: RegistryDb,
  { id, channel, release, canary, seenAt }: EdgeReport,
): Promise<boolean> {
  const before = await findEdge(db, id);
  const changing = {
    channel,
    release,
    canary: canary?.release ?? null,
    canary_basis_points: canary?.basisPoints ?? null,
    seen_at: seenAt,
  };
  await db
    .insertInto('edges')
    .values({ id, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
  return (
    before?.release !== release ||
    before.canary?.release !== canary?.release ||
    before.canary?.basisPoints !== canary?.basisPoints
  );
}

/** A stopped or forgotten edge serves nothing, so releases no longer wait for it. */
export async function deleteEdge(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom('edges').where('id', '=', id).execute();
}

export async function listEdges(db: RegistryDb, channel: ChannelName): Promise<EdgeReport[]> {
  const rows = await db
    .selectFrom('edges')
    .selectAll()
    .where('channel', '=', channel)
    .orderBy('id')
    .execute();
  return rows.map(toReport);
}

export async function findEdge(db: RegistryDb, id: string): Promise<EdgeReport | null> {
  const row = await db.selectFrom('edges').selectAll().where('id', '=', id).executeTakeFirst();
  return row ? toReport(row) : null;
}

function toReport({
  id,
  channel,
  release,
  canary,
  canary_basis_points: basisPoints,
  seen_at: seenAt,
}: Selectable<RegistryTables['edges']>): EdgeReport {
  return {
    id,
    channel,
    release,
    canary: canary === null || basisPoints === null ? null : { release: canary, basisPoints },
    seenAt,
  };
}
