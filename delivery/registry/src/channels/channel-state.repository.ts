import { sql } from 'kysely';
import { MAX_REVOKED, type ChannelName, type ChannelState } from '@site/contract';
import { canaryShare } from '../signals/index.ts';
import { releaseDigest } from '../kernel/release-digest.ts';
import { releaseId } from './release.repository.ts';
import type { RegistryDb } from '../kernel/tables.ts';

export interface SentState {
  state: ChannelState;
  revision: number;
}

/**
 * Holds only the newest revoked releases; any older release counts as revoked (`mustLeave`). A single query, so
 * pointers and revocations are consistent. The revision is the audit log's end, which every change of a channel moves.
 */
export async function channelState(db: RegistryDb, channel: ChannelName): Promise<SentState> {
  const row = await db
    .selectFrom('channels')
    .innerJoin('audit_head', (join) => join.onTrue())
    .select(['live', 'canary', 'canary_basis_points', 'sequence', 'hash', 'epoch', 'unconfirmed'])
    .select([
      releaseDigest(sql`channels.live`).as('liveDigest'),
      releaseDigest(sql`channels.canary`).as('canaryDigest'),
    ])
    .select(
      sql<number[]>`(
        select coalesce(jsonb_agg(newest.release order by newest.release), '[]')
        from (
          select release from registry.revocations where channel = ${channel}
          order by release desc limit ${MAX_REVOKED}
        ) as newest
      )`.as('revoked'),
    )
    .where('name', '=', channel)
    .executeTakeFirstOrThrow();
  const { sequence, hash, epoch, unconfirmed } = row;
  const digests = [
    [row.live, row.liveDigest],
    [row.canary, row.canaryDigest],
  ] as const;
  return {
    revision: sequence,
    state: {
      log: { epoch, sequence, hash },
      ...(unconfirmed?.kind === 'lost' ? { held: unconfirmed.says } : {}),
      digests: Object.fromEntries(
        digests.flatMap(([number, digest]) =>
          number === null || digest === null ? [] : [[releaseId(number), digest]],
        ),
      ),
      channel,
      live: row.live === null ? null : releaseId(row.live),
      canary:
        row.canary === null || row.canary_basis_points === null
          ? null
          : canaryShare(releaseId(row.canary), row.canary_basis_points),
      revoked: row.revoked.map(releaseId),
    },
  };
}
