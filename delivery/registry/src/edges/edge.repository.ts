import { sql, type Selectable } from 'kysely';
import type { ChannelName, LogPosition } from '@site/contract';
import { releaseDigest } from '../kernel/release-digest.ts';
import { isBehind } from './edge-state.ts';
import type { RegistryDb, RegistryTables, ReportedCanary } from '../kernel/tables.ts';

export interface EdgeReport {
  id: string;
  channel: ChannelName;
  release: number | null;
  canaries: readonly ReportedCanary[];
  seenAt: Date;
  hasDiverged: boolean;
  clockSkewMs: number | null;
}

type Reported = Omit<EdgeReport, 'hasDiverged'> & {
  digest: string | null;
  log: LogPosition | null;
};

/**
 * Edges never expire, because an edge without connection may still serve its last release.
 * @returns whether it now serves something else.
 */
export async function upsertEdge(
  db: RegistryDb,
  { id, channel, release, canaries, seenAt, clockSkewMs, digest, log }: Reported,
): Promise<boolean> {
  const before = await findEdge(db, id);
  const changing = {
    channel,
    release,
    canaries: JSON.stringify(canaries),
    seen_at: seenAt,
    release_digest: digest,
    log_epoch: log?.epoch ?? null,
    log_sequence: log?.sequence ?? null,
    log_hash: log?.hash ?? null,
    clock_skew_ms: clockSkewMs,
  };
  await db
    .insertInto('edges')
    .values({ id, ...changing })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(changing))
    .execute();
  return before?.release !== release || canaryTexts(before.canaries) !== canaryTexts(canaries);
}

function canaryTexts(canaries: readonly ReportedCanary[]): string {
  return canaries.map(({ release, basisPoints }) => `${release} ${basisPoints}`).join();
}

/** Whether it serves its channel's current state, and purges of the caches in front of it succeed. */
export async function allowsCaching(db: RegistryDb, id: string): Promise<boolean> {
  const { rows } = await sql<{ live: number | null; canaries: { number: number }[] }>`
    select live, (
      select coalesce(jsonb_agg(jsonb_build_object('number', release) order by release), '[]')
      from registry.canaries where channel = channels.name and ended_at is null
    ) as canaries
    from registry.channels
    where name = (select channel from registry.edges where id = ${id})
      and (select max(failures) from registry.caches where channel = channels.name) = 0`.execute(db);
  const [wanted] = rows;
  const edge = wanted ? await findEdge(db, id) : null;
  if (!wanted || !edge) return false;
  const { live, canaries } = wanted;
  return !isBehind(edge, { live: live === null ? null : { number: live }, canaries });
}

/** A stopped or forgotten edge serves nothing, so releases no longer wait for it. */
export async function deleteEdge(db: RegistryDb, id: string): Promise<void> {
  await db.deleteFrom('edges').where('id', '=', id).execute();
}

export async function listEdges(db: RegistryDb, channel: ChannelName): Promise<EdgeReport[]> {
  const rows = await edges(db).where('channel', '=', channel).orderBy('id').execute();
  return rows.map(toReport);
}

const edges = (db: RegistryDb) => db.selectFrom('edges').selectAll().select(hasDiverged.as('has_diverged'));

/** An edge of an earlier epoch has yet to follow. */
const hasDiverged = sql<boolean>`(
  select coalesce(
    log_epoch > epoch or log_epoch = epoch and log_sequence > 0 and not exists (
      select from registry.audit_events as entry where entry.sequence = log_sequence and entry.hash = log_hash
    ), false)
    or release_digest is distinct from coalesce(${releaseDigest(sql`edges.release`)}, '') and release_digest is not null
    or exists (
      select from jsonb_to_recordset(edges.canaries) as canary (release integer, digest text)
      where digest is distinct from coalesce(${releaseDigest(sql`canary.release`)}, '') and digest is not null
    )
  from registry.audit_head)`;

/** The edges of all channels that have diverged, and the newest epoch that one follows. */
export async function divergedEdges(db: RegistryDb): Promise<{ ids: string[]; epoch: number }> {
  const rows = (await edges(db).orderBy('id').execute()).filter(({ has_diverged }) => has_diverged);
  return {
    ids: rows.map(({ id }) => id),
    epoch: Math.max(0, ...rows.map(({ log_epoch }) => log_epoch ?? 0)),
  };
}

export async function findEdge(db: RegistryDb, id: string): Promise<EdgeReport | null> {
  const row = await edges(db).where('id', '=', id).executeTakeFirst();
  return row ? toReport(row) : null;
}

function toReport({
  id,
  channel,
  release,
  canaries,
  seen_at: seenAt,
  has_diverged,
  clock_skew_ms: clockSkewMs,
}: Selectable<RegistryTables['edges']> & { has_diverged: boolean }): EdgeReport {
  return {
    id,
    channel,
    release,
    canaries,
    seenAt,
    hasDiverged: has_diverged,
    clockSkewMs,
  };
}
